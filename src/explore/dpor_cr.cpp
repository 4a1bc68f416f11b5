#include "explore/dpor_cr.h"

#include "explore/dpor.h"

namespace heddle::explore {

EventIndex race_by_object(const Execution& execution, const HappensBefore& before, EventIndex state, const Step& v) {
  // The end of the process depends on everything.
  if (state > 0 && execution.steps[state - 1].op.kind == OpKind::kTerminate) return state - 1;
  if (v.op.kind == OpKind::kTerminate) {
    for (EventIndex i = state; i-- > 0;)
      if (!before.before_next(i, v)) return i;
    return kNoEvent;
  }
  if (v.op.object == kNoObject) return kNoEvent;
  if (access_of(undecided(v.op.kind)) == Access::kWrites) {  // line 5
    for (EventIndex r = before.last_read(v.op.object); r != kNoEvent; r = before.previous_read(r))
      if (!before.before_next(r, v)) return r;  // line 6
  }
  const EventIndex w = last_co_enabled_write(execution, before, v);  // line 8
  return w != kNoEvent && !before.before_next(w, v) ? w : kNoEvent;
}

void DporCr::learn(const Execution& execution) {
  tree_.grow(execution);
  next_.for_each(execution, tree_.fresh(), before_, [&](EventIndex state, const Step& v) {
    const EventIndex i = race_by_object(execution, before_, state, v);
    if (i != kNoEvent) tree_.add(i, v.thread);  // lines 10-16
  });
  next_.for_each_withdrawn(execution, tree_.fresh(), before_, [&](EventIndex e, ThreadId t) { tree_.add(e, t); });
  if (tree_.sleep_sets()) source_sets_.cover_races(tree_, execution);
}

bool DporCr::resume(const SavedSearch& saved) {
  tree_.resume(saved);
  before_.push_all(saved.path);
  source_sets_.resume(saved);
  return true;
}

}  // namespace heddle::explore
