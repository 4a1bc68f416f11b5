// Source-DPOR (Abdulla, Aronis, Jonsson, Sagonas: Source Sets, JACM 2017, Algorithm 1).
//
// For a reversible race (e, e') it is enough that from pre(E, e) *some* initial of v = notdep(e, E).e' is explored:
// a thread with which an execution can start that contains v. If the backtrack set holds one already, nothing is
// added; that is what makes backtrack sets source sets, which are never larger than persistent sets.
//
// Deviations: races are looked at when the execution is over. Threads left waiting at the end take part with their
// next operation, which is how a blocked lock acquire races with the acquire that blocks it.
#pragma once

#include "explore/source_set.h"

namespace heddle::explore {

class SourceDpor : public Strategy {
 public:
  explicit SourceDpor(TreeOptions options) : tree_(options) {}
  bool next(Schedule& schedule) override { return tree_.next(schedule); }
  void learn(const Execution& execution) override {
    tree_.grow(execution);
    source_sets_.cover_races(tree_, execution);
  }
  bool save(SavedSearch& saved) const override {
    tree_.save(saved);
    return true;
  }
  bool resume(const SavedSearch& saved) override {
    tree_.resume(saved);
    source_sets_.resume(saved);
    return true;
  }

 private:
  BacktrackTree tree_;
  SourceSets source_sets_;
};

}  // namespace heddle::explore
