#include "explore/race_flip.h"

#include "trace/withdrawal.h"

namespace heddle::explore {

void RaceFlip::learn(const Execution& execution) {
  tree_.grow(execution);
  if (tree_.sleep_sets()) return source_sets_.cover_races(tree_, execution);
  before_.truncate(tree_.fresh());
  const auto analyse = [&](const Step& step) {
    races_.clear();
    before_.push(step, &races_);
    for (EventIndex e : races_) flag(e, step.thread);
  };
  for (EventIndex i = tree_.fresh(); i < execution.steps.size(); ++i) {
    analyse(execution.steps[i]);
    for_each_withdrawn(execution.steps, i, before_, [&](EventIndex e, const Step& t) { flag(e, t.thread); });
  }
  // Threads left waiting race with whoever keeps them waiting.
  for (const Pending& p : execution.pending) {
    analyse(p.step);
    before_.truncate(static_cast<EventIndex>(execution.steps.size()));
  }
}

void RaceFlip::flag(EventIndex node, ThreadId racing) {
  const ThreadSet left = tree_.enabled(node) - tree_.backtrack(node);
  if (left.empty() || tree_.waiting(node)) return;  // all postponed, or the node will be left again anyway
  tree_.add_only(node, left.contains(racing) ? racing : left.first_thread());
}

}  // namespace heddle::explore
