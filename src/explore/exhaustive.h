// Every interleaving of visible operations (Kähkönen 2015 §2.3): from each node every enabled thread. The oracle for
// small programs; with sleep sets it visits every class once, but still every state.
#pragma once

#include "explore/tree.h"

namespace heddle::explore {

class Exhaustive : public Strategy {
 public:
  explicit Exhaustive(TreeOptions options) : tree_(options) {}
  bool next(Schedule& schedule) override { return tree_.next(schedule); }
  void learn(const Execution& execution) override {
    tree_.grow(execution);
    for (EventIndex i = tree_.fresh(); i < tree_.size(); ++i) tree_.add_all(i);
  }
  bool save(SavedSearch& saved) const override {
    tree_.save(saved);
    return true;
  }
  bool resume(const SavedSearch& saved) override {
    tree_.resume(saved);
    return true;
  }

 private:
  BacktrackTree tree_;
};

}  // namespace heddle::explore
