#include "explore/dpor.h"

namespace heddle::explore {

void DporTraversing::learn(const Execution& execution) {
  tree_.grow(execution);
  next_.for_each(execution, tree_.fresh(), before_, [&](EventIndex state, const Step& v) {
    const ThreadId p = v.thread;
    for (EventIndex i = state; i-- > 0;) {  // line 5
      const Step& e = execution.steps[i];
      if (e.thread == p) continue;
      const bool races =
          e.op.kind == OpKind::kTerminate || v.op.kind == OpKind::kTerminate ||
          (e.op.object == v.op.object && v.op.object != kNoObject &&
           dependent_on_one_object(e.op.kind, undecided(v.op.kind)) && may_be_co_enabled(e.op.kind, v.op.kind));
      if (!races || before_.before_next(i, v)) continue;
      tree_.add(i, p);  // lines 6-10
      break;
    }
  });
  next_.for_each_withdrawn(execution, tree_.fresh(), before_, [&](EventIndex e, ThreadId t) { tree_.add(e, t); });
  if (tree_.sleep_sets()) source_sets_.cover_races(tree_, execution);
}

EventIndex last_co_enabled_write(const Execution& execution, const HappensBefore& before, const Step& v) {
  EventIndex i = before.last_write(v.op.object);
  while (i != kNoEvent && !may_be_co_enabled(execution.steps[i].op.kind, v.op.kind)) i = before.previous_write(i);
  return i;
}

bool race_with_end(BacktrackTree& tree, const Execution& execution, const HappensBefore& before, EventIndex state,
                   const Step& v) {
  if (state > 0 && execution.steps[state - 1].op.kind == OpKind::kTerminate) tree.add(state - 1, v.thread);
  if (v.op.kind != OpKind::kTerminate) return false;
  EventIndex i = state;
  while (i > 0 && before.before_next(i - 1, v)) --i;
  if (i > 0) tree.add(i - 1, v.thread);
  return true;
}

void Dpor::learn(const Execution& execution) {
  tree_.grow(execution);
  next_.for_each(execution, tree_.fresh(), before_, [&](EventIndex state, const Step& v) {
    if (race_with_end(tree_, execution, before_, state, v) || v.op.object == kNoObject) return;
    const EventIndex i = last_co_enabled_write(execution, before_, v);        // line 5
    if (i != kNoEvent && !before_.before_next(i, v)) tree_.add(i, v.thread);  // lines 6-11
  });
  next_.for_each_withdrawn(execution, tree_.fresh(), before_, [&](EventIndex e, ThreadId t) { tree_.add(e, t); });
  if (tree_.sleep_sets()) source_sets_.cover_races(tree_, execution);
}

bool Dpor::resume(const SavedSearch& saved) {
  tree_.resume(saved);
  before_.push_all(saved.path);
  source_sets_.resume(saved);
  return true;
}

bool DporTraversing::resume(const SavedSearch& saved) {
  tree_.resume(saved);
  before_.push_all(saved.path);
  source_sets_.resume(saved);
  return true;
}

}  // namespace heddle::explore
