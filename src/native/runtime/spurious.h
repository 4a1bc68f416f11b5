// Spurious wake-ups. A wait on a condition variable may return though nobody has woken the thread, and a thread that
// does not look again then is wrong: `if (!ready) cv.wait(lock);`. The same holds for futexes, and a weak
// compare-and-swap may fail for no reason.
//
// How it is explored. Whether a wait returns at once is a choice like heddle_choose's, before the wait: 0 waits, 1
// gives the mutex away, takes it back and returns. Nothing is lost by leaving at once: a thread that leaves later would
// have been passed over by all wake-ups until then, and what others do in between they do here while it wants the
// mutex. With 0 the wait is what it was, so that a thread that nobody wakes is still a deadlock. A thread makes use of
// it so often in an execution (--spurious), by default once.
//
// Where. A loop that looks again (`while (!ready) cv.wait(lock);`) comes back to the same wait. If it comes back with
// the same local state, all memory is as it was, and nobody else has run, then nothing has happened at all; the wait is
// left alone there from then on (and the search begins again, as when memory becomes visible), so that right programs
// have the classes that they would have without.
//
// The turn of an exchange, or of a futex, that has looked at another object besides its own on its way back
// (`if (closing.load()) return false;`) may go elsewhere next time. That it does not is an assumption as well, and said
// with the place; inside the standard library, where such loops are right, it is not.
//
// What that leaves out. A spurious wake-up after which the loop finds what it found is an idle turn: without it
// everything is as it was. One after which it finds something else, because others have come in between, leads where
// the thread would be that comes to the loop only then, if it is the same to the program how often the loop went round.
// A weak exchange that fails for no reason and is tried when another value is there is that exchange done later, which
// really fails; a thread that leaves a futex whose word has changed is one that came later and was refused. For a
// condition variable there is no such call, and a thread that remembers that it has waited is in a state that it would
// be in only after a real wake-up: that it need not be looked at is an assumption, and the verdict says so.
//
// "There" is the wait and the calls that led to it: a function that wraps the wait has good and bad callers.
#pragma once

#include "native/runtime/runtime.h"

namespace heddle::runtime {

// A call of the program: its return address, and the frame of the function called (__builtin_frame_address(0)).
struct Call {
  const void* pc;
  const void* frame;
  std::uint64_t operands = 0;  // of an exchange
};

// What the current thread is about to do, and may be spared.
enum class Spontaneous : std::uint8_t {
  kWait,
  kTimedWait,  // with another deadline every time: several rounds in the same memory count as the same state
  kSleep,      // likewise on a futex
  kTimedSleep,
  kExchange,  // a weak compare-and-swap
};
// Shall it return at once instead?
bool wakes_spuriously(const Call& call, Spontaneous what);

// A loop was seen to look again at this place (LearntKind::kWaitLoop).
void learn_wait_loop(std::uint64_t site);

}  // namespace heddle::runtime
