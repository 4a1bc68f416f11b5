#include "check/event_pasts.h"

#include "trace/dependence.h"

namespace heddle::check {

using namespace trace;

int EventPasts::intern(const std::string& description) {
  return known_.try_emplace(description, static_cast<int>(known_.size()) + 1).first->second;
}

std::vector<int> EventPasts::operator()(const Execution& execution) {
  std::vector<int> numbers;
  const auto& steps = execution.steps;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Step& s = steps[i];
    std::string text = std::to_string(s.thread.value) + name_of(s.op.kind) + std::to_string(s.op.object.value);
    if (has_alternatives(s.op.kind)) text += ">" + std::to_string(s.choice);
    bool woken = s.op.kind == OpKind::kWaitRelease;  // found, or not asked for
    int own = 0, waker = 0, joined = 0, source = 0;
    std::set<int> reads;
    for (std::size_t k = i; k-- > 0;) {
      const Step& p = steps[k];
      // Directly before it: in its thread, by waking it since, in the thread it joins, on its object.
      if (p.thread == s.thread) {
        if (own == 0) own = numbers[k];
        if (p.op.kind != OpKind::kWaitRelease) woken = true;
      } else if (!woken && woken_by(p).contains(s.thread)) {
        waker = numbers[k];
        woken = true;
      }
      if (s.op.kind == OpKind::kJoin && joined == 0 && p.thread == s.op.peer) joined = numbers[k];
      if (source == 0 && s.op.object != kNoObject && p.op.object == s.op.object) {
        if (access_of(p.op.kind) == Access::kWrites) {
          source = numbers[k];
        } else if (access_of(s.op.kind) == Access::kWrites &&
                   (variant_ == unfold::Variant::kPlaceReplicated || p.op.kind == OpKind::kTryFailed ||
                    p.op.kind == OpKind::kSharedTryFailed || p.op.kind == OpKind::kSemTryFailed)) {
          reads.insert(numbers[k]);
        }
      }
    }
    for (const int direct : {own, waker, joined, source}) text += " " + std::to_string(direct);
    for (const int r : reads) text += " read " + std::to_string(r);
    numbers.push_back(intern(text));
  }
  return numbers;
}

std::string EventPasts::blocked_marking(const Execution& execution) {
  if (execution.outcome != Outcome::kDeadlock) return {};
  const std::vector<int> numbers = (*this)(execution);
  std::vector<int> last(execution.threads, 0), waker(execution.threads, 0);
  std::vector<OpKind> kind(execution.threads, OpKind::kRead);
  std::set<std::size_t> blocked, waits_at_barrier;
  for (std::size_t i = 0; i < execution.steps.size(); ++i) {
    const Step& s = execution.steps[i];
    last[s.thread.index()] = numbers[i];
    kind[s.thread.index()] = s.op.kind;
    if (trace::waits_at_barrier(s))
      waits_at_barrier.insert(s.thread.index());
    else
      waits_at_barrier.erase(s.thread.index());
    if (s.op.kind != OpKind::kWaitRelease) waker[s.thread.index()] = 0;
    woken_by(s).for_each([&](std::size_t t) { waker[t] = numbers[i]; });
  }
  for (const Pending& p : execution.pending) blocked.insert(p.step.thread.index());
  for (const IdleTurn& turn : execution.idle_turns) blocked.insert(turn.thread.index());
  for (std::size_t t = 0; t < execution.threads; ++t)
    if ((kind[t] == OpKind::kWaitRelease || waits_at_barrier.contains(t)) && waker[t] == 0) blocked.insert(t);
  std::string text;
  for (const std::size_t t : blocked)
    text += std::to_string(t) + ":" + std::to_string(last[t]) + "/" + std::to_string(waker[t]) + " ";
  return text;
}

}  // namespace heddle::check
