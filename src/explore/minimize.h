// Minimisation: of the executions that fail in the same way, one that is easy to follow.
//
// "Easy" is ScheduleCost: fewest pre-emptions, then fewest switches, then fewest steps. Two searches share one
// bounded effort, counted in executions and steps so that the result is the same on every machine (unless it is so slow
// that the clock ends it):
//
// 1. Reduction from above. The failing schedule is a sequence of blocks, each a stretch of one thread. Shorter prefixes
//    followed by the default tail are tried, then neighbouring blocks of one thread are joined by moving one of them
//    over what lies between (delta debugging over blocks, as in Jalbert and Sen's "trace simplification", FSE 2010).
//    Whatever still fails at a lower cost is the new start, until nothing helps.
// 2. Search from below, in the order of cost (iterative context bounding, Musuvathi and Qadeer, PLDI 2007). A node is a
//    prefix and the thread that goes on; running it to the end without pre-emption shows the nodes behind it.
//    Prefixes of one class lead to one state, so a state and thread are looked at once (by fingerprint). A thread
//    is pre-empted only before an operation on an object that several threads use: pre-empting it earlier gives an
//    execution of the same class. When the cheapest node left costs as much as the best failure so far, that failure
//    is minimal.
//
// Every candidate is run; nothing is concluded from a trace alone.
#pragma once

#include <chrono>

#include "explore/explanation.h"
#include "trace/program.h"

namespace heddle::explore {

// How much may be spent. Counting steps too keeps long executions from costing minutes; the clock is for programs that
// compute for long between their steps.
class Effort {
 public:
  using Clock = std::chrono::steady_clock;

  Effort(std::uint64_t runs, std::uint64_t steps, Clock::time_point end = Clock::time_point::max())
      : runs_left_(Clock::now() < end ? runs : 0), steps_left_(steps), end_(end) {}
  void spend(const Execution& execution) {
    ++runs_;
    runs_left_ -= runs_left_ > 0 ? 1 : 0;
    steps_left_ -= std::min<std::uint64_t>(steps_left_, execution.steps.size() + 1);
    if (Clock::now() >= end_) runs_left_ = 0;
  }
  bool spent() const { return runs_left_ == 0 || steps_left_ == 0; }
  std::uint64_t runs() const { return runs_; }

 private:
  std::uint64_t runs_ = 0;
  std::uint64_t runs_left_;
  std::uint64_t steps_left_;
  Clock::time_point end_;
};

// A failing execution with the decisions that lead to the failure.
struct FailingRun {
  Failure failure;
  Execution execution;
  std::vector<Decision> schedule;
};

// Same kind, place and message.
bool same_failure(const Failure& a, const Failure& b);
// The failure of `execution` that is the same as `wanted`, or null.
const Failure* failure_like(const Execution& execution, const Failure& wanted);

std::vector<Decision> decisions_of(const Execution& execution, std::size_t steps);
// All of them, in an order of the same class that passes the state of the failure.
std::vector<Decision> schedule_through(const Execution& execution, const Failure& failure);

// Decisions that lead to the failure of `run` again: those before it if the failure also shows when the program goes on
// from there without pre-emption. What other threads do later may make an execution void (an assumption fails), and
// then it takes all of them.
std::vector<Decision> schedule_of(Program& program, const FailingRun& run, Effort& effort);

// Replaces `run` by the cheapest run of the same failure found. False if it does not fail again even unchanged (then
// it stays as it is).
bool minimize(Program& program, FailingRun& run, Effort& effort);

}  // namespace heddle::explore
