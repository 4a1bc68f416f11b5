#include "trace/idle_joins.h"

namespace heddle::trace {

void find_idle_joins(const Execution& execution, bool tries, std::vector<std::size_t>& idle_from) {
  idle_from.assign(execution.threads, kNotIdle);
  ThreadSet open = execution.stopped;  // nothing is known of where these would go
  for (const Failure& f : execution.failures)
    if (f.thread != kNoThread) open.insert(f.thread);
  for (const Pending& p : execution.pending) open.insert(p.step.thread);
  // Who joins a thread comes after all that it has joined.
  for (const Step& step : execution.steps)
    if (step.op.kind == OpKind::kSpawn) open.insert(step.op.peer);
  for (std::size_t i = execution.steps.size(); i-- > 0;) {
    const Step& step = execution.steps[i];
    if (open.contains(step.thread)) continue;
    const std::uint64_t after = tries ? step.op.after & ~kOnlyTries : step.op.after;
    if (step.op.kind == OpKind::kJoin && after == kSawNothing)
      idle_from[step.thread.index()] = i;
    else
      open.insert(step.thread);
  }
}

}  // namespace heddle::trace
