#include "explore/preemption_bound.h"

namespace heddle::explore {
namespace {

// Does the one wake a thread that is still about to release its mutex, the other's step? Woken after it, it has stood
// blocked.
bool wakes_before_release(const Step& wakeup, const Step& release) {
  return release.op.kind == OpKind::kWaitRelease && woken_by(wakeup).contains(release.thread);
}

// Unlike elsewhere a release counts as racing with an acquire, and a wake-up with the release of a waiter's mutex:
// whether a thread stands blocked decides what a switch away from it costs.
bool may_race(const Step& e, const Step& v) {
  if (wakes_before_release(e, v) || wakes_before_release(v, e)) return true;
  if (e.op.kind == OpKind::kTerminate || v.op.kind == OpKind::kTerminate) return true;
  return e.op.object == v.op.object && v.op.object != kNoObject &&
         dependent_on_one_object(e.op.kind, undecided(v.op.kind));
}

}  // namespace

void PreemptionBound::learn(const Execution& execution) {
  tree_.grow(execution);
  next_.for_each(execution, tree_.fresh(), before_, [&](EventIndex state, const Step& v) {
    ThreadSet met;  // threads whose latest dependent step has been seen
    for (EventIndex i = state; i-- > 0;) {
      const Step& e = execution.steps[i];
      if (e.thread == v.thread || met.contains(e.thread) || !may_race(e, v)) continue;
      met.insert(e.thread);
      if (before_.before_next(i, v)) continue;
      tree_.add(i, v.thread);
      tree_.add(tree_.block_start(i), v.thread);
    }
  });
  next_.for_each_withdrawn(execution, tree_.fresh(), before_, [&](EventIndex e, ThreadId t) {
    tree_.add(e, t);
    tree_.add(tree_.block_start(e), t);
  });
}

bool PreemptionBound::resume(const SavedSearch& saved) {
  tree_.resume(saved);
  before_.push_all(saved.path);
  return true;
}

}  // namespace heddle::explore
