// The two reductions of Noonan et al. 2014 (Java PathFinder), for comparison by number of *states*.
//
// Both learn over the search which objects are shared: accessed by at least two threads so far. An access to an
// object that is not (yet) known to be shared is no scheduling point and makes no state. Thread start and
// termination are states from which every enabled thread is explored.
//
// * JpfSharing (Table 1): so is every access to a shared object.
// * ClockVector (Table 2): an access to a shared object starts with the running thread only; clock vectors per
//   thread and object find the last access it races with, and the backtrack point goes there (as in dpor.h).
//
// Deviation: when an object turns out to be shared, its accesses on the current path become scheduling points at
// once, where JPF waits until they are executed again. That keeps every class: if another thread could reach the
// object before an access did, it also can after it, and the subtree of that access learns of it in time.
#pragma once

#include "explore/next_operations.h"
#include "explore/source_set.h"

namespace heddle::explore {

// Which objects several threads have accessed, and the states that this knowledge makes.
class SharedObjects {
 public:
  // True if an object became shared.
  bool observe(const Execution& execution, EventIndex fresh);
  bool shared(const Step& step) const;
  // Does the state before step i follow the start or the end of a thread?
  static bool at_thread_boundary(const Execution& execution, EventIndex i);
  std::uint64_t count_states(const Execution& execution, EventIndex fresh) const;

 private:
  std::vector<ThreadSet> accessed_;  // by object
  bool process_ends_ = false;        // a thread may end the process: that shares everything
};

class ClockVector : public Strategy {
 public:
  explicit ClockVector(TreeOptions options) : tree_(options), before_(ReadOrder::kOrdered) {}
  bool next(Schedule& schedule) override { return tree_.next(schedule); }
  void learn(const Execution& execution) override;
  std::optional<std::uint64_t> states() const override { return states_; }

 private:
  BacktrackTree tree_;
  HappensBefore before_;
  NextOperations next_;
  SourceSets source_sets_;
  SharedObjects sharing_;
  std::uint64_t states_ = 0;
};

class JpfSharing : public Strategy {
 public:
  explicit JpfSharing(TreeOptions options) : tree_(options) {}
  bool next(Schedule& schedule) override { return tree_.next(schedule); }
  void learn(const Execution& execution) override;
  std::optional<std::uint64_t> states() const override { return states_; }

 private:
  BacktrackTree tree_;
  SharedObjects sharing_;
  std::uint64_t states_ = 0;
};

}  // namespace heddle::explore
