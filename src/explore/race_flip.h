// Race detection and flipping (Sen and Agha 2006, as told in Kähkönen 2015 §2.4; the algorithm of jCUTE).
//
// When an execution shows a race between a step taken at node n and a later one, n's race flag is set and the
// thread that took the step joins n's postponed set. A flagged node is left again by a thread that is not
// postponed, and from there the postponed threads are delayed as long as possible: until something ran
// that depends on what they would have done (their race is flipped), or until nobody else can run.
//
// In terms of the search tree: the postponed set of a node are the threads done there, postponed steps are
// inherited like a sleep set but only delay, and setting the flag adds *one* more thread to the backtrack
// set. Sen and Agha leave open which; we take the racing one if it can run there, else the lowest. With sleep sets
// postponed steps really sleep, so any other thread will not do: the rule is then that of source-DPOR (source_set.h).
#pragma once

#include "explore/source_set.h"

namespace heddle::explore {

class RaceFlip : public Strategy {
 public:
  explicit RaceFlip(TreeOptions options) : tree_(options) {}
  bool next(Schedule& schedule) override { return tree_.next(schedule); }
  void learn(const Execution& execution) override;

 private:
  void flag(EventIndex node, ThreadId racing);

  BacktrackTree tree_;
  HappensBefore before_;
  SourceSets source_sets_;
  std::vector<EventIndex> races_;
};

}  // namespace heddle::explore
