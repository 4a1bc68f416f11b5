#include "explore/optimal_dpor.h"

namespace heddle::explore {

bool OptimalDpor::next(Schedule& schedule) {
  schedule.sleep_rule = SleepRule::kStop;
  if (!started_) {  // Explore(<>, {}, <>)
    started_ = true;
    schedule.steps.clear();
    schedule.sleep.clear();
    schedule.fresh = 0;
    return true;
  }
  std::size_t size = path_.nodes.size();
  while (size > floor_ && path_.nodes[size - 1].wakeups == kNoWakeup) --size;  // 14: these loops are over
  if (size <= floor_) return false;
  path_.nodes.resize(size);
  const auto here = static_cast<EventIndex>(size - 1);
  path_.add_to_sleep(here, {&path_.steps[here], 1});  // 19: the branch that was taken last
  path_.fresh = here;
  descend(schedule);
  return true;
}

// Lines 15 to 18, from the last node of the path down to a leaf of its first branch. What is left of the trees on the
// way waits for the nodes to come.
void OptimalDpor::descend(Schedule& schedule) {
  SearchPath::Node& node = path_.nodes.back();
  schedule.fresh = path_.fresh;
  schedule.steps.assign(decisions_.begin(), decisions_.begin() + path_.fresh);
  const auto sleep = path_.sleep_at(path_.fresh);
  schedule.sleep.assign(sleep.begin(), sleep.end());
  planned_.clear();
  WakeupIndex branch = node.wakeups;          // 15
  path_.forest.unlink(node.wakeups, branch);  // 20
  while (branch != kNoWakeup) {
    const Step& p = path_.forest[branch].step;
    schedule.steps.push_back({p.thread, p.choice});            // 18
    WakeupIndex subtree = path_.forest.take_children(branch);  // 17, 9
    path_.forest.release(branch);
    branch = subtree;                                               // 15
    if (branch != kNoWakeup) path_.forest.unlink(subtree, branch);  // 20
    planned_.push_back(subtree);
  }
}

void OptimalDpor::learn(const Execution& execution) {
  races_.cut();
  extend(execution);
  races_.for_each_open([&](const RaceMemory::Reversal& v) {  // 2, 3, 4
    if (!races_.asleep(v)) races_.insert(v);                 // 5, 6
  });
}

// Lines 7 to 13 for every step of the execution that is new.
void OptimalDpor::extend(const Execution& execution) {
  const auto length = static_cast<EventIndex>(execution.steps.size());
  INVARIANT(length > path_.fresh || path_.nodes.empty());
  path_.steps.resize(path_.fresh);
  path_.steps.insert(path_.steps.end(), execution.steps.begin() + path_.fresh, execution.steps.end());
  decisions_.resize(path_.fresh);
  for (EventIndex i = path_.fresh; i < length; ++i)
    decisions_.push_back({path_.steps[i].thread, path_.steps[i].choice});
  auto i = static_cast<EventIndex>(path_.nodes.size());
  path_.nodes.resize(length);
  for (i = std::max(i, 1u); i < length; ++i) path_.inherit_sleep(i);  // 13, 16
  for (std::size_t p = 0; p < planned_.size() && path_.fresh + p + 1 < length; ++p)
    path_.nodes[path_.fresh + p + 1].wakeups = planned_[p];  // 9; otherwise 10 to 12: the program chose p
  planned_.clear();
  races_.take_in(execution);
}

}  // namespace heddle::explore
