// How much is still to come. Exploration is a walk over a tree whose size nobody knows; Knuth's estimator ("Estimating
// the efficiency of backtrack programs", 1975) goes down from the root at random and multiplies the numbers of branches
// on the way: the mean over such probes is the number of leaves.
//
// The tree that is probed is not the one that is searched. A DPOR's tree grows while it is walked, and after one
// percent of it the branches near the root are mostly unknown. Instead we probe the tree of *sleep sets with source
// sets* (Saarikivi et al. 2012 §IV-D): in each state a set of threads that is enough (whoever starts any continuation
// must be in it), in a fixed order; a branch puts its left siblings to sleep. Each class is exactly one complete leaf
// of that tree, and a branch that ends asleep counts as zero, so the mean is the number of classes.
//
// The set of threads is closed from one thread under "may later do something dependent with my next operation", where
// what threads may do later is what they did in the executions seen so far. That is a guess, so the number is one too,
// as is every number here: it comes with the spread of the probes and is never shown as certain.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/random.h"
#include "explore/strategy.h"
#include "trace/program.h"

namespace heddle::explore {

struct Estimate {
  double total = 0;  // 0: unknown
  double low = 0;    // two standard errors below and above
  double high = 0;
};

// Probes of which too few came to an end are refuted by what was done: then all that is known is that there are more.
inline Estimate at_least(const Estimate& e, std::uint64_t executions) {
  const auto done = static_cast<double>(executions);
  return {std::max(e.total, done), std::max(e.low, done), std::max(e.high, done)};
}

class Estimator {
 public:
  explicit Estimator(std::uint64_t seed) : random_(seed) {}

  // What threads do, for the probes to come.
  void observe(const Execution& execution);

  // One way down from the root. It takes several runs, which are outside of any search. It does not count if it did not
  // come to its end in time: the last run may have been cut.
  void probe(Program& program, const std::function<bool()>& in_time = [] { return true; });

  // Several, for about a millisecond in all, while that is likely to tell more: what it may cost beside a search.
  void probe_for_a_moment(Program& program);
  bool is_worth_more() const;

  // Executions in all, from classes in all: algorithms that meet a class twice go on to do so.
  Estimate executions_in_all(std::uint64_t executions, std::uint64_t classes) const;

  std::uint64_t probes() const { return probes_; }
  std::uint64_t runs() const { return runs_; }
  std::uint64_t steps() const { return steps_; }
  // Of the number of classes.
  Estimate classes() const;

 private:
  struct Use {
    std::size_t last_access = 0;  // one more than the ordinal of the thread's last step on the object
    std::size_t last_write = 0;
  };
  struct State {
    std::vector<std::size_t> done;       // steps by thread
    std::vector<const Step*> next;       // next operation by thread, or null
    std::vector<const Step*> following;  // by step of the execution: its thread's next operation after it, or null
    ThreadSet enabled;
  };

  void run(Program& program, const Schedule& schedule, Execution& execution);
  static void walk(const Execution& execution, EventIndex position, State& state);
  static void advance(const Execution& execution, EventIndex position, State& state);
  bool may_conflict_later(ThreadId other, std::size_t done, const Step& step) const;
  ThreadSet interferers(const State& state, ThreadId thread) const;
  ThreadSet source_set(const State& state, ThreadSet awake) const;

  Random random_;
  std::vector<std::vector<Use>> uses_;  // by object and thread
  std::vector<ThreadSet> users_;        // by object
  std::uint64_t probes_ = 0;
  std::uint64_t runs_ = 0;
  std::uint64_t steps_ = 0;
  double sum_ = 0;
  double squares_ = 0;
};

}  // namespace heddle::explore
