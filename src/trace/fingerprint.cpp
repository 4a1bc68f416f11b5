#include "trace/fingerprint.h"

#include "base/random.h"
#include "trace/dependence.h"

namespace heddle::trace {

std::uint64_t Fingerprinter::operator()(const Execution& execution) {
  return of_prefix(execution, execution.steps.size());
}

std::uint64_t Fingerprinter::of_prefix(const Execution& execution, std::size_t steps,
                                       std::vector<std::uint64_t>* pasts) {
  ++epoch_;
  threads_.assign(kMaxThreads, 0);
  wakers_.assign(kMaxThreads, 0);
  if (pasts) pasts->clear();
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < steps; ++i) {
    const Step& s = execution.steps[i];
    std::uint64_t h = combine(s.thread.value, threads_[s.thread.index()]);
    h = combine(h, (static_cast<std::uint64_t>(s.op.kind) << 48) | (std::uint64_t{s.choice} << 32) | s.op.object.value);
    if (s.op.kind != OpKind::kWaitRelease && wakers_[s.thread.index()] != 0) {
      h = combine(h, wakers_[s.thread.index()]);
      wakers_[s.thread.index()] = 0;
    }
    if (s.op.kind == OpKind::kJoin) h = combine(h, threads_[s.op.peer.index()]);
    if (s.op.kind == OpKind::kTerminate)
      for (std::uint64_t t : threads_) h = combine(h, t);
    if (s.op.object != kNoObject) {
      if (s.op.object.index() >= objects_.size()) objects_.resize(s.op.object.index() + 64);
      ObjectPast& past = objects_[s.op.object.index()];
      if (past.epoch != epoch_) past = {0, 0, epoch_};
      h = combine(h, past.write);
      if (access_of(s.op.kind) == Access::kWrites) {
        h = combine(h, past.reads);
        past = {h, 0, epoch_};
      } else {
        past.reads += mix(h);
      }
    }
    threads_[s.thread.index()] = h;
    woken_by(s).for_each([&](std::size_t t) { wakers_[t] = h; });
    sum += mix(h);
    if (pasts) pasts->push_back(h);
  }
  return sum;
}

}  // namespace heddle::trace
