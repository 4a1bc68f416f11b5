// What the verdict will rest on, noted where the program gives a reason for it (trace/assumption.h).
//
// Every process that runs executions notes into one table that they share, so nothing has to be sent home. A note is
// made once for each place: a call and the call of the function around it, because at -O0 an atomic operation of the
// program is in a function of <atomic>, which has many callers.
#pragma once

#include "native/runtime/runtime.h"
#include "native/runtime/spinning.h"
#include "native/runtime/weak_memory.h"
#include "trace/assumption.h"

namespace heddle::runtime {

// Makes the table; before any process is forked.
void begin_assumptions();
// Subject of kSequentialConsistency: a plain access that races and is explored, weaker than any order.
inline constexpr std::uint64_t kPlainAccess = 1;
// ... an attempt (try_lock, sem_trywait) that has failed, and orders nothing.
inline constexpr std::uint64_t kFailedAttempt = 2;
// ... or this and the number of an object that one thread only has operated on so far.
inline constexpr std::uint64_t kOfOneThread = 3;
// Subject of kNoSpuriousWakeUps: a loop that was seen to wait again (spurious.h).
inline constexpr std::uint64_t kOneStandsForAll = 1;
// ... an exchange or a futex, whose turn looks at something else besides.
inline constexpr std::uint64_t kTriedAgain = 2;
// ... a weak exchange that might fail for none.
inline constexpr std::uint64_t kExchangesFail = 3;
// ... an attempt at a lock, which in C and C++ might fail for none.
inline constexpr std::uint64_t kAttemptsFail = 4;

// The program relies on the assumption at `pc`, a return address in its code. `subject` tells apart what is assumed of
// different things: an address in the library for kCodeNotSeen, one of those above, otherwise 0.
void note_assumption(trace::AssumptionKind kind, const void* pc, std::uint64_t subject = 0);

// A data race between accesses at these addresses that was left out (suppressed_races.h).
void note_race_left_out(std::uint64_t pc, std::uint64_t other_pc);

// How many there are so far: those that are told are the same as long as this is.
std::uint64_t assumptions_noted();

// There are several threads: what was compiled without the pass matters.
void note_threads();

// All that was noted, with places among the positions of this process.
std::vector<trace::Assumption> assumptions_so_far();

// An atomic operation with this order on an object was called for through a stub that noted its frame. With one thread
// no order matters, nor on an object that only one thread operates on.
void note_order_of_several(int order, const void* pc, ObjectId object);
inline void note_order(int order, const void* pc, ObjectId object) {
  if (rt.threads > 1 && !explores_weaker_orders()) note_order_of_several(order, pc, object);
}
// An attempt to take something was made at `pc`, and something (another thread) decided on it. Having failed it orders
// nothing, which is less than any interleaving has; that it did not fail for no reason is an assumption in itself.
void note_attempt(bool succeeded, const void* pc);
// Have several threads met in an object with a weaker order?
bool weaker_orders_met();

}  // namespace heddle::runtime
