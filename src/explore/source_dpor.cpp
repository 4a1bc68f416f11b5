#include "explore/source_dpor.h"

#include "trace/race.h"

namespace heddle::explore {

void SourceDpor::learn(const Execution& execution) {
  tree_.grow(execution);
  before_.truncate(tree_.fresh());
  const auto length = static_cast<EventIndex>(execution.steps.size());
  for (EventIndex i = tree_.fresh(); i < length; ++i) {
    races_.clear();
    before_.push(execution.steps[i], &races_);
    for (EventIndex e : races_) reverse(execution, e, i, execution.steps[i]);
  }
  for (const Pending& p : execution.pending) {
    races_.clear();
    before_.push(p.step, &races_);
    before_.truncate(length);
    for (EventIndex e : races_) reverse(execution, e, length, p.step);
  }
}

// The race between step e and `second`, which ran (or would run) at index `end`.
void SourceDpor::reverse(const Execution& execution, EventIndex e, EventIndex end, const Step& second) {
  v_.clear();                                                        // line 6: v = notdep(e, E).proc(e')
  for (EventIndex k = e + 1; k < end; ++k)
    if (!before_.before(e, k)) v_.push_back(&execution.steps[k]);
  const Step reversed = as_if_first(second, execution.steps[e]);
  v_.push_back(&reversed);

  const ThreadSet starts = initials(v_);
  bool covered = !(starts & tree_.backtrack(e)).empty();             // line 7
  starts.for_each_thread([&](ThreadId t) { covered = covered || tree_.asleep(e, t); });
  if (covered) return;
  tree_.add_only(e, starts.contains(second.thread) ? second.thread : starts.first_thread());  // line 8
}

ThreadSet SourceDpor::initials(const std::vector<const Step*>& v) const {
  ThreadSet seen, result;
  for (std::size_t i = 0; i < v.size(); ++i) {
    if (seen.contains(v[i]->thread)) continue;
    seen.insert(v[i]->thread);
    bool first = true;
    for (std::size_t k = 0; k < i && first; ++k) first = !dependent(*v[k], *v[i]);
    if (first) result.insert(v[i]->thread);
  }
  return result;
}

}  // namespace heddle::explore
