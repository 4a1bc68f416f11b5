// Loops that wait by looking again and again.
//
// When a thread comes back to the same operation with the same local state - registers and stack, byte for byte - and
// has changed nothing in between, it will go round for ever unless somebody writes what it reads. Going round
// again shows nothing that reading later would not show, so the thread is stopped here: if what it read changes
// later, this execution is redundant (the read that comes after the change belongs to another one, which the race
// between the two leads to) and counts as infeasible; if it never changes, the program livelocks. A loop that
// counts its turns has another local state every time and is left alone.
//
// A loop that does change something - `for (;;) ++x;` - is ended by the step bound. If by then nobody else can run and the
// thread comes back once more to the place where it exceeded the bound with the same local state, that is
// called a livelock as well: nothing in the thread counts towards an end.
#pragma once

#include "native/runtime/runtime.h"

namespace heddle::native {

// The current thread is about to do an operation that may change nothing. Does not return if it spins.
void check_spinning(const Step& step);
// The operation is done.
void note_effect(const Step& step);
// A loop at this place was seen to spin.
void learn_spin_site(const void* pc);
// The current thread is about to do more operations than the bound allows. Returns if it shall go on for a moment.
void exceed_step_bound();
// Would a thread that was stopped as spinning go on spinning in the present state?
bool spins_for_ever(const Thread& thread);

}  // namespace heddle::native
