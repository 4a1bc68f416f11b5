// Turns of loops in instrumented code (spinning.h). The pass has put a mark at the head of every loop in which
// something can be waited for, at the same place of the source at every level of optimisation, and hands over there
// what the thread carries from turn to turn: values that are alive, not frames and registers as they happen to be
// (pass/loops.cpp).
//
// So a turn is in vain if the thread comes back to a mark, in the same run of the loop, with the same values, if its
// steps since have changed nothing, and neither have its plain writes: those are logged, with what was there before.
// Of its own stack, frames below that of the loop are gone, its own frame is handed over, and those above are compared
// as they are: nobody uses them meanwhile but through pointers.
//
// How it stood at the last few turns of each loop that is under way is kept. Loops inside others come and go, so a
// loop keeps a few turns only, and entering it forgets those of the last time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/strong_id.h"

namespace heddle::native {

struct Turns {
  static constexpr std::size_t kVisits = 12;
  static constexpr std::size_t kVisitsOfOne = 4;
  static constexpr std::size_t kWrites = 24;
  // A mark that the thread came to, and how it stood there.
  struct Visit {
    const void* pc = nullptr;  // of the mark
    std::uint64_t loop = 0;    // in the source
    std::uint64_t frame = 0;   // of the function
    std::uint64_t state = 0;
    std::uint64_t sum = 0;      // of what was handed over, each with a weight of its own
    std::uint64_t by = 0;       // how much more that is than at the turn before ...
    std::uint32_t counted = 0;  // ... as so many times before
    EventIndex first = 0;       // number of steps done
    std::uint32_t writes = 0;   // number of writes logged
  };
  struct Write {
    std::uintptr_t address = 0;
    std::uint64_t before = 0;
    std::uint32_t size = 0;
  };
  std::uint32_t visits = 0;  // oldest first
  std::uint32_t writes = 0;
  EventIndex awaits_since = 0;  // it is to be blocked at its next operation, for a turn that began here ...
  bool awaits = false;          // ... if so
  bool by_operations = false;   // it goes round with a lock that it gives away meanwhile (turns.cpp)
  Visit visit[kVisits];
  Write write[kWrites];

  void forget() {
    visits = writes = 0;
    awaits = by_operations = false;
  }
  // What of this there is to keep.
  std::size_t bytes_in_use() const { return visits == 0 ? offsetof(Turns, visit) : sizeof(Turns); }
};
extern Turns turns[kMaxThreads];  // by thread

// The current thread writes to plain memory that is not on its stack.
void log_write(Turns& own, std::uintptr_t address, std::size_t size);
// A hash of what decides whether the thread will be stopped.
std::uint64_t hash_of_turns(const Turns& own);

}  // namespace heddle::native
