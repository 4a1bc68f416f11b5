// DPOR that exploits the commutativity of reads (Saarikivi et al. 2012 §II-D, Fig. 3 and 5): per object the last write
// and the reads since. A thread about to write races with the latest of those reads that does not happen before it, or
// else, like a reader, with the last write.
//
// The index in line 5 of the figure is that of the k-th read (it prints E_i before i is bound). As in dpor.h, a
// release is passed over for an acquire, and points are added when the execution is over.
#pragma once

#include "explore/next_operations.h"
#include "explore/source_set.h"

namespace heddle::explore {

class DporCr : public Strategy {
 public:
  explicit DporCr(TreeOptions options) : tree_(options) {}
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

// The step that the next operation v races with, by the rule of Fig. 3; kNoEvent if none.
EventIndex race_by_object(const Execution& execution, const HappensBefore& before, EventIndex state, const Step& v);

}  // namespace heddle::explore
