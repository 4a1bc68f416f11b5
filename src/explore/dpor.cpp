#include "explore/dpor.h"

namespace heddle::explore {

void DporTraversing::learn(const Execution& execution) {
  tree_.grow(execution);
  next_.for_each(execution, tree_.fresh(), before_, [&](EventIndex state, const Step& v) {
    const ThreadId p = v.thread;
    for (EventIndex i = state; i-- > 0;) {                                            // line 5
      const Step& e = execution.steps[i];
      if (e.thread == p) continue;
      const bool races = e.op.kind == OpKind::kTerminate || v.op.kind == OpKind::kTerminate ||
                         (e.op.object == v.op.object && v.op.object != kNoObject &&
                          dependent_on_one_object(e.op.kind, undecided(v.op.kind)) &&
                          may_be_co_enabled(e.op.kind, v.op.kind));
      if (!races || before_.before_next(i, v)) continue;
      tree_.add(i, p);                                                                 // lines 6-10
      break;
    }
  });
  if (tree_.sleep_sets()) source_sets_.cover_races(tree_, execution);
}

EventIndex last_co_enabled_write(const Execution& execution, const HappensBefore& before, const Step& v) {
  EventIndex i = before.last_write(v.op.object);
  while (i != kNoEvent && !may_be_co_enabled(execution.steps[i].op.kind, v.op.kind))
    i = before.previous_write(i);
  return i;
}

void Dpor::learn(const Execution& execution) {
  tree_.grow(execution);
  next_.for_each(execution, tree_.fresh(), before_, [&](EventIndex state, const Step& v) {
    // The end of the process depends on everything: every step of another thread that it does not follow.
    if (state > 0 && execution.steps[state - 1].op.kind == OpKind::kTerminate) tree_.add(state - 1, v.thread);
    if (v.op.kind == OpKind::kTerminate) {
      for (EventIndex i = state; i-- > 0;)
        if (!before_.before_next(i, v)) return tree_.add(i, v.thread);
      return;
    }
    if (v.op.object == kNoObject) return;
    const EventIndex i = last_co_enabled_write(execution, before_, v);                 // line 5
    if (i != kNoEvent && !before_.before_next(i, v)) tree_.add(i, v.thread);  // lines 6-11
  });
  if (tree_.sleep_sets()) source_sets_.cover_races(tree_, execution);
}

}  // namespace heddle::explore
