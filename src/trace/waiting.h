// Who holds what and who waits for whom, as the steps of an execution imply it: no front end is asked.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "trace/execution.h"
#include "trace/program.h"

namespace heddle::trace {

// Locks and condition variables along an execution.
class Ownership {
 public:
  explicit Ownership(const Execution& execution) : execution_(execution) {}

  void after(EventIndex index);

  // The acquisition by which `object` is held, or kNoEvent.
  EventIndex held_since(ObjectId object) const;
  // Threads with locks, and how many.
  std::map<ThreadId, std::size_t> counts() const;
  // Threads parked at a condition variable or barrier, with the step that parked them.
  const std::map<ThreadId, EventIndex>& parked() const { return waits_; }

 private:
  void release(const Step& step);
  void wake(const Step& step);

  const Execution& execution_;
  std::map<ObjectId, std::vector<EventIndex>> holders_;
  std::map<ThreadId, EventIndex> waits_;
};

// A thread that can never go on: its next operation blocks, or it is parked and nobody wakes it.
struct Waiter {
  const Step* step;               // the operation; of a parked thread the one that parked it
  EventIndex pending = kNoEvent;  // its index in an explanation (explore/explanation.h), if it is pending
  const Step* holder = nullptr;   // the acquisition by which another thread has what this one waits for
  std::string text = {};          // "lock m"
};
// Of the final state. Points into `execution`.
std::vector<Waiter> waiters(const Execution& execution, const Describer& describer);

// Threads that wait for each other.
struct WaitCycle {
  std::vector<ThreadId> threads;  // none: there is no circle
  std::string text;               // "a -> m -> b -> n -> a"
};
WaitCycle wait_cycle(const Execution& execution, const Describer& describer);

// Who waits for what in the final state: "b waits to lock m, held by a", with or without the places of both.
enum class Places { kShown, kLeftOut };
std::vector<std::string> waiting_in_the_end(const Execution& execution, const Describer& describer,
                                            Places places = Places::kShown);

}  // namespace heddle::trace
