#include "trace/fingerprint.h"

#include <algorithm>
#include <map>

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

std::uint64_t fingerprint_of_graph(const Execution& execution) {
  std::vector<std::uint64_t> done(kMaxThreads, 0);
  std::map<ObjectId, std::vector<std::uint64_t>> writes;  // of each object, oldest first
  std::uint64_t sum = 0;
  for (const Step& s : execution.steps) {
    const std::uint64_t id = combine(s.thread.value, ++done[s.thread.index()]);
    const std::uint64_t alternative = has_alternatives(s.op.kind) ? s.choice : 0;
    std::uint64_t source = 0;
    if (s.op.object != kNoObject && !has_alternatives(s.op.kind)) {
      std::vector<std::uint64_t>& order = writes[s.op.object];
      const auto place = order.end() - std::min<std::ptrdiff_t>(s.choice, order.end() - order.begin());
      if (place != order.begin() && s.op.kind != OpKind::kWrite) source = *(place - 1);
      if (access_of(s.op.kind) == Access::kWrites) order.insert(place, id);
    }
    sum += mix(combine(combine(id, source),
                       static_cast<std::uint64_t>(s.op.kind) << 48 | alternative << 32 | s.op.object.value));
  }
  for (const auto& [object, order] : writes)
    for (std::size_t i = 1; i < order.size(); ++i) sum += mix(combine(order[i - 1], order[i]));
  return sum;
}

}  // namespace heddle::trace
