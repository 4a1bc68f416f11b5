// Source sets (JACM 2017): what a reversed race calls for, and when that is covered already.
//
// A race (e, e') of E calls for an execution from pre(E, e) that starts with v = notdep(e, E).e'. Any thread that v can
// start with (an initial) will do. If one of them is in the backtrack set, or sleeps there, nothing is needed.
//
// This is all of source-DPOR. The other algorithms need it when sleep sets are on: the racing thread may then sleep
// where it should be added. Dropping it loses classes, and adding every thread that is awake (Kähkönen 2015
// section 2.4) explores far more than necessary: on filesystem(14) 14 executions instead of 3.
#pragma once

#include "explore/tree.h"
#include "trace/happens_before.h"

namespace heddle::explore {

class SourceSets {
 public:
  // Looks at every race of the execution whose second event is new, threads left waiting included.
  void cover_races(BacktrackTree& tree, const Execution& execution);

  void resume(const SavedSearch& saved) { before_.push_all(saved.path); }

 private:
  void reverse(BacktrackTree& tree, const Execution& execution, EventIndex e, EventIndex end, const Step& second);
  ThreadSet initials() const;

  HappensBefore before_;
  std::vector<EventIndex> races_;
  std::vector<const Step*> v_;
};

}  // namespace heddle::explore
