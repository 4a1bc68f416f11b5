#include "explore/source_set.h"

#include "trace/dependence.h"
#include "trace/reversal.h"
#include "trace/withdrawal.h"

namespace heddle::explore {

void SourceSets::cover_races(BacktrackTree& tree, const Execution& execution) {
  before_.truncate(tree.fresh());
  const auto length = static_cast<EventIndex>(execution.steps.size());
  for (EventIndex i = tree.fresh(); i < length; ++i) {
    races_.clear();
    before_.push(execution.steps[i], &races_);
    for (EventIndex e : races_) reverse(tree, execution, e, i, execution.steps[i]);
    for_each_withdrawn(execution.steps, i, before_,
                       [&](EventIndex e, const Step& timeout) { reverse(tree, execution, e, i + 1, timeout); });
  }
  for (const Pending& p : execution.pending) {
    races_.clear();
    before_.push(p.step, &races_);
    before_.truncate(length);
    for (EventIndex e : races_) reverse(tree, execution, e, length, p.step);
  }
}

// The race between step e and `second`, which ran (or would run) at index `end`.
void SourceSets::reverse(BacktrackTree& tree, const Execution& execution, EventIndex e, EventIndex end,
                         const Step& second) {
  const Step reversed = as_if_first(second, execution.steps[e]);
  if (!dependent(reversed, execution.steps[e])) return;  // undecided, and no race after all
  v_.clear();                                            // line 6: v = notdep(e, E).proc(e')
  for (EventIndex k = e + 1; k < end; ++k)
    if (!before_.before(e, k)) v_.push_back(&execution.steps[k]);
  v_.push_back(&reversed);

  const ThreadSet starts = initials();
  bool covered = !(starts & tree.backtrack(e)).empty();  // line 7
  starts.for_each_thread([&](ThreadId t) { covered = covered || tree.asleep(e, t); });
  if (!covered)  // line 8
    tree.add_only(e, starts.contains(second.thread) ? second.thread : starts.first_thread());
}

ThreadSet SourceSets::initials() const {
  ThreadSet seen, result;
  for (std::size_t i = 0; i < v_.size(); ++i) {
    if (seen.contains(v_[i]->thread)) continue;
    seen.insert(v_[i]->thread);
    bool first = true;
    for (std::size_t k = 0; k < i && first; ++k) first = !dependent(*v_[k], *v_[i]);
    if (first) result.insert(v_[i]->thread);
  }
  return result;
}

}  // namespace heddle::explore
