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
// A turn may allocate memory if it frees it again, as one does that throws an exception and catches it. Struck out,
// later blocks have other addresses, and nothing else is different.
//
// The clock is no part of how it stands: time may pass at any moment. But a loop that looks at it may do so for a
// deadline. So a turn that was in vain in every other respect is no proof yet: the next one finds the clock much later.
// Where the turn was one look, the thread hurries on with later and later clocks, in which its looks are no steps: what
// is explored is then to find what it looks for at once, and to give up. Elsewhere the next turn begins a year later.
//
// A counter may be in memory (`static thread_local int spins`): a place that a turn has changed, that nobody else has
// looked at since, and that changes by the same amount with each turn.
//
// How it stood at the last turns of each loop that is under way is kept. Loops inside others come and go, so a loop
// keeps so many turns only, and entering it forgets those of the last time. A turn in vain may be many of the loop
// (looking at one slot after another, round and round): the oldest that is kept stays until the loop has made twice as
// many, so that a turn of any length is found in the end (Brent's way to find cycles).
//
// `lock(); while (!ready) { unlock(); lock(); }`, or with a wait for a time in place of both: at the head the thread
// holds what others need, so there it must not be stopped, but where it is about to take it again. How it stands there
// follows from how it stood at the head, from what its steps have found since and from what it has read
// (held_loops.cpp).
//
// The same is asked of a thread that is in the middle of a turn when another one's turn, which it has seen, is over:
// has it come there as it came there in the turn before (trace/turn.h)?
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/strong_id.h"
#include "native/runtime/runtime.h"
#include "trace/operation.h"

namespace heddle::runtime {

struct Turns {
  static constexpr std::size_t kVisits = 32;
  static constexpr std::size_t kVisitsOfOne = 16;
  static constexpr std::size_t kWrites = 32;
  static constexpr std::size_t kWritesToStack = 8;  // of these
  // A mark that the thread came to, and how it stood there.
  struct Visit {
    const void* pc = nullptr;  // of the mark
    std::uint64_t loop = 0;    // in the source
    std::uint64_t frame = 0;   // of the function
    std::uint64_t state = 0;
    std::uint32_t turn = 0;       // of this run of the loop
    std::uint64_t sum = 0;        // of what was handed over, each with a weight of its own
    std::uint64_t by = 0;         // how much more that is than at the turn before ...
    std::uint64_t memory_by = 0;  // the same of counters in memory, by place (turn_writes.h)
    std::uint32_t counted = 0;    // ... as so many times before
    EventIndex first = 0;         // number of steps done
    std::uint32_t writes = 0;     // number of writes logged
    std::uint32_t clock = 0;      // how often it had looked at the clock
    std::uint64_t blocks = 0;     // Spin::blocks
    std::uint64_t above = 0;      // a sum over what others know of its frame, and its callers' frames
    bool counter_matters = true;  // if it counts, somebody may look at that
    bool never_gives_up = false;  // if it counts, that is not for an end
    bool leapt = false;           // a year has passed here ...
    EventIndex before = 0;        // ... after a turn in vain that began here
  };
  // From the head of a loop to where the thread is; if it was entered with a lock, to where the thread takes that
  // again.
  struct Way {
    static constexpr std::size_t kWrites = 16;
    static constexpr std::size_t kSteps = 16;
    std::uint64_t loop = 0, frame = 0, state = 0;
    std::uint64_t reads = 0;  // what it has read from plain memory, but for its stack and what it had written itself
    struct {
      std::uintptr_t begin, end;
    } written[kWrites] = {};
    std::uint32_t writes = 0;
    std::uint64_t replaced = 0;       // what was there where it has written
    std::uint64_t seen[kSteps] = {};  // all of that, by step
    std::uint32_t steps = 0;
    EventIndex head = 0, lock = 0;
    std::uint32_t intrusions = 0;
    std::uint32_t clock = 0;
    bool leapt = false;
    bool known = false;
  };
  std::uint32_t visits = 0;  // oldest first
  std::uint32_t writes = 0;
  bool more_on_stack = false;    // it has written more to its stack than is logged
  EventIndex awaits_since = 0;   // it is to be blocked at its next operation, for a turn that began here ...
  bool awaits = false;           // ... if so
  bool under_way = false;        // `way` has begun ...
  bool again = false;            // ... where another one began
  std::uint32_t intrusions = 0;  // writes of others to its stack
  // How it stood at a mark when it had changed something, and how often in the same way.
  struct {
    const void* pc = nullptr;
    std::uint64_t state = 0;
    std::uint32_t times = 0;
  } changed;
  bool follows = false;  // `way` has so far been as the turn before was, a round trip
  Visit visit[kVisits];
  LoggedWrite write[kWrites];
  // Once there are ways.
  Way way, last_way;
  std::uint64_t before[Way::kSteps] = {};  // what the turn before saw, by step
  std::uint32_t steps_before = 0;

  void forget_writes() {
    writes = 0;
    more_on_stack = false;
  }
  void forget() {
    visits = 0;
    forget_writes();
    awaits = under_way = follows = false;
    last_way.known = false;
  }
};
extern Turns turns[kMaxThreads];  // by thread

// The visit with which that turn began, if it is known.
const Turns::Visit* visit_at(const Turns& own, EventIndex first);
inline bool is_release(trace::OpKind kind) {
  return kind == trace::OpKind::kRelease || kind == trace::OpKind::kWaitRelease ||
         kind == trace::OpKind::kSharedRelease;
}
// The thread comes to the mark of a loop that gives away first what it was entered with, or whose turns others have
// seen. `again`: it stands as it stood before.
void begin_way(Turns& own, const Turns::Visit& head, bool again);
// It is about to take a lock. Does not return if it has gone round in vain.
void end_way(Turns& own, const trace::Step& step);
// It has made a step on its way.
void follow_way(Turns& own);
// A plain access of the current thread, once there was such a loop (Runtime::ways_watched).
void watch_ways(std::uintptr_t address, std::size_t size, bool write);
// A hash of what decides whether the thread will be stopped.
std::uint64_t hash_of_turns(const Turns& own);

}  // namespace heddle::runtime
