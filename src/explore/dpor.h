// Dynamic partial order reduction (Flanagan and Godefroid 2005) in the two forms of Saarikivi et al. 2012 §II:
//
// * DporTraversing (Fig. 1) looks for the last step of the whole execution that is dependent and may be co-enabled
//   with a thread's next operation and does not happen before it, and puts a backtrack point there.
// * Dpor (Fig. 2) finds it in constant time from the last access of the operation's object. That assumes that
//   *all* accesses of one object depend on each other, reads too, so happens-before is kept that way here.
//   Of a lock the last access that counts for an acquire is the last one that is not a release: the two are
//   never co-enabled (the optimisation Saarikivi et al. 2012 §II-C mentions). A try-lock can run beside a release.
//
// Deviations: backtrack points are added when the execution is over, not while it runs; the set is the same.
#pragma once

#include "explore/next_operations.h"
#include "explore/source_set.h"

namespace heddle::explore {

class DporTraversing : public Strategy {
 public:
  explicit DporTraversing(TreeOptions options) : tree_(options) {}
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
  SourceSets source_sets_;
};

class Dpor : public Strategy {
 public:
  explicit Dpor(TreeOptions options) : tree_(options), before_(ReadOrder::kOrdered) {}
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
  SourceSets source_sets_;
};

// The last write (or access, as `before` counts them) of the step's object that may be co-enabled with it.
EventIndex last_co_enabled_write(const Execution& execution, const HappensBefore& before, const Step& step);

// The end of the process depends on everything: on every step of another thread that it does not follow. Adds what that
// calls for; true if v is itself the end.
bool race_with_end(BacktrackTree& tree, const Execution& execution, const HappensBefore& before, EventIndex state,
                   const Step& v);

}  // namespace heddle::explore
