// Timeouts that did not happen. A thread in a timed wait may give up at any moment until somebody wakes it; the wake-up
// takes its timeout away. The two exclude each other, so an execution that has the one shows no trace of the other, and
// race detection, which looks for pairs of events of one execution, would see nothing to reverse. It has to be told:
//
//   e wakes t out of a timed wait   =>   e races with the timeout of t, which could have run in e's place
//
// provided that t can have got as far without e: what it does last before it may give up is to release the mutex, and
// that may come after e (a thread counts as waiting before it releases), or even happen after it.
#pragma once

#include "trace/happens_before.h"

namespace heddle::trace {

namespace detail {

inline EventIndex last_step_of(ThreadId t, const std::vector<Step>& steps, EventIndex end) {
  while (end-- > 0)
    if (steps[end].thread == t) return end;
  return kNoEvent;
}

// The timeout of the thread whose wait ended with `wait`, in place of `wakeup`.
inline Step timeout_of(const Step& wait, const Step& wakeup) {
  Step timeout;
  timeout.thread = wait.thread;
  timeout.where = wait.where;
  const std::uint64_t state = wakeup.op.before;
  timeout.op = {.kind = OpKind::kTimeout, .object = wakeup.op.object, .before = state, .after = state};
  return timeout;
}

}  // namespace detail

// Calls f(timeout) for each thread that might have given up before steps[e] woke it.
template <class F>
void for_each_withdrawn_by(const std::vector<Step>& steps, EventIndex e, F&& f) {
  if (steps[e].op.kind != OpKind::kSignal && steps[e].op.kind != OpKind::kBroadcast) return;
  woken_by(steps[e]).for_each_thread([&](ThreadId t) {
    const EventIndex w = detail::last_step_of(t, steps, e);
    if (w == kNoEvent || steps[w].op.after != kTimedWait) return;
    const OpKind kind = steps[w].op.kind;
    if (kind == OpKind::kWaitRelease || kind == OpKind::kSleep) f(detail::timeout_of(steps[w], steps[e]));
  });
}

// Calls f(e, timeout) for each timeout that is known to be withdrawn by step e once steps[i] has been seen: steps[i] is
// the wake-up, or the release after it. `before` must hold the steps up to and including i.
template <class F>
void for_each_withdrawn(const std::vector<Step>& steps, EventIndex i, const HappensBefore& before, F&& f) {
  for_each_withdrawn_by(steps, i, [&](const Step& timeout) { f(i, timeout); });
  const Step& release = steps[i];
  if (release.op.kind != OpKind::kWaitRelease || release.op.after != kTimedWait) return;
  const EventIndex wait = detail::last_step_of(release.thread, steps, i);
  for (EventIndex e = i; e-- > wait + 1;)
    if (woken_by(steps[e]).contains(release.thread) && !before.before(e, i))
      f(e, detail::timeout_of(release, steps[e]));
}

}  // namespace heddle::trace
