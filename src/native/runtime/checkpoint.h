// Checkpoints: states on the way of the last execution, so that the next one need not run there again.
//
// Depth-first search changes the end of an execution again and again before it changes the beginning: of the two or
// three dozen steps of a small test, three quarters are those of the execution before. A checkpoint is everything
// that later steps depend on: what the parts of the runtime keep (parts.h) - the hot pages (thread-local storage is
// among them), the heap, the live part of every thread's stack, the record of each thread, what race detection
// remembers of this execution - and what the threads have announced. Some kilobytes, copied in a few hundred
// nanoseconds, which is what a handful of steps costs.
//
// It is taken before a step, by the thread that ran last (it has announced its next operation, or ended): the thread
// switches to the explorer's stack, where everything is copied, and goes on - now, or in a later execution that finds
// its stack as it was.
//
// Checkpoints form a stack, like the search's path: a schedule drops those that are not on its way, that is, whose
// decisions are not its own up to the step where it is fresh, and starts from the last that is left. An execution
// from the beginning drops all.
//
// When to take one is the ski-rental problem: nobody knows how often the search will still branch off beyond a step,
// but if the last executions all did, and together spent on getting there what a checkpoint costs, it is taken. Then
// at most twice the least possible is spent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "native/runtime/parts.h"
#include "native/runtime/runtime.h"
#include "trace/schedule.h"

namespace heddle::runtime {

struct Checkpoint {
  std::size_t position = 0;  // steps before it
  std::size_t bytes = 0;
  // Of the execution.
  std::size_t threads_seen = 0;
  ThreadSet stopped, unwanted;
  std::vector<trace::IdleTurn> idle_turns;
  std::vector<trace::RoundTrip> round_trips;
  std::vector<Step> announced;
};

class Checkpoints {
 public:
  void switch_off() { off_ = true; }
  void forget();  // what is visible has changed

  // An execution is about to run: drops what is not on its way, and decides whether it shall leave a checkpoint.
  void prepare(const trace::Schedule& schedule);
  // The one to start from, or null.
  const Checkpoint* last() const { return size_ > 0 ? &stack_[size_ - 1] : nullptr; }
  // Puts everything back to the last one but the execution, whose first steps must be those before it.
  void restore();
  // A step is about to be chosen before which one is wanted (rt.checkpoint_at). False: this state cannot be kept.
  bool possible();
  void take();
  // The steps before the last one.
  const std::vector<Step>& prefix() const { return prefix_; }
  // What running `steps` steps has just cost.
  void measure(std::uint64_t cycles, std::size_t steps);

 private:
  static constexpr std::size_t kLeastWindow = 8;
  static constexpr std::size_t kLargestWindow = 1024;

  void drop_others(const trace::Schedule& schedule);
  void plan(std::size_t fresh);
  void observe_from(std::size_t fresh);

  bool off_ = false;
  Checkpoint stack_[kMostCheckpoints];
  std::size_t size_ = 0;
  std::vector<Step> prefix_;
  std::vector<trace::Decision> decisions_;  // of prefix_
  // The executions observed since something was taken or dropped: how many, and from where all of them were fresh.
  std::size_t observed_ = 0;
  std::size_t floor_ = 0;
  std::size_t fresh_ = 0;              // of the execution under way
  std::size_t window_ = kLeastWindow;  // observation begins anew after so many, with twice the patience
  std::uint64_t cycles_per_step_ = 100;
};
extern Checkpoints checkpoints;

}  // namespace heddle::runtime
