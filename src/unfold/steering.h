// Covering several targets with one execution. After its target 004 lets an execution go on at random; here the
// unfolding is asked what is known about the threads' next steps, and steps that no execution has taken come
// first. What follows an uncovered event is unknown, so its thread is left to the schedule's tail from there on; the
// other threads can still be led to uncovered events of their own.
#pragma once

#include <vector>

#include "trace/schedule.h"
#include "unfold/marking.h"
#include "unfold/unfolding.h"

namespace heddle::unfold {

class Steering {
 public:
  explicit Steering(Unfolding& unfolding) : u_(unfolding), marking_(unfolding) {}

  // Appends steps to a schedule that runs the events of `order`, the last of which is the target.
  void extend(const std::vector<EventId>& order, Schedule& schedule);

 private:
  enum class Known : std::uint8_t { kNothing, kCovered, kUncovered };

  // The best known next event of a thread.
  Known next_of(ThreadId t, EventId& best);

  Unfolding& u_;
  Marking marking_;
  ThreadSet left_;   // to the tail
};

}  // namespace heddle::unfold
