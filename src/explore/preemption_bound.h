// Search within a bound on pre-emptions (switches away from a thread that could go on), complete within it: every
// class that has a member with at most k pre-emptions is found, and nothing beyond.
//
// A race (e, e') asks for e's thread to be overtaken at pre(E, e), which costs a pre-emption that may not be
// affordable there although an equivalent execution exists that switches earlier, for free. So each point is
// added a second time, conservatively, at the start of the block of steps of one thread that contains e
// (Coons, Musuvathi, McKinley: Bounded Partial-Order Reduction, 2013). Frontrun walks back to *some* affordable
// point instead, which misses classes: at k = 0 it refuses the other order of two threads.
//
// As there, every other thread's latest dependent step counts, not only the very last one. Sleep sets and wakeup
// trees are left out: they prune an execution because an equivalent one was explored elsewhere, which under a
// bound may have been out of reach. The same class may therefore be met repeatedly; the explorer counts classes by
// fingerprint.
#pragma once

#include "explore/next_operations.h"
#include "explore/tree.h"

namespace heddle::explore {

class PreemptionBound : public Strategy {
 public:
  explicit PreemptionBound(TreeOptions options) : tree_(options) {}
  bool next(Schedule& schedule) override { return tree_.next(schedule); }
  void learn(const Execution& execution) override;
  bool save(SavedSearch& saved) const override {
    tree_.save(saved);
    return true;
  }
  bool resume(const SavedSearch& saved) override;

 private:
  BacktrackTree tree_;
  HappensBefore before_;
  NextOperations next_;
};

}  // namespace heddle::explore
