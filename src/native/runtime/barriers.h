// Barriers: pthread_barrier_t, and std::barrier and std::latch as long as threads only arrive and wait
// (include/heddle/std). In which order threads arrive is nothing to see as long as not more of them use a barrier
// than it needs: then they pass it together, in every round, and none of them does anything between its arrival and the
// last one's. So of all orders only that of their numbers is run (OpKind::kArriveInTurn, docs/adr/0014).
//
// Who uses a barrier is learnt: when a thread comes for the first time, in any execution, the search begins again
// (LearntKind::kBarrierUser). Until then, and for good where more come than are needed, threads arrive as they come and
// their order counts.
#pragma once

#include <cstdint>

#include "native/runtime/runtime.h"

namespace heddle::runtime {

// A barrier, in all executions: which thread has initialised it, and how many that thread had before.
using BarrierNumber = std::uint32_t;

// True: that is new.
bool learn_barrier_user(BarrierNumber barrier, ThreadId user);
// Threads do something else with it than to arrive and wait.
bool learn_other_use(BarrierNumber barrier);
// As lessons have it: a thread's number, or kOtherUse.
bool learn_barrier_use(BarrierNumber barrier, std::uint8_t use);

}  // namespace heddle::runtime
