// Signals of the program under test never reach the kernel: what it does about them, what its threads block and what is
// pending is kept here, thread by thread, and rewound with everything else. The kernel's signals are the engine's
// (signals.h). A signal comes from the program itself; what others would send does not come.
//
// A handler runs in its thread, on its stack, where the thread sends itself a signal or stops blocking one. A fault is
// handed to the program's handler, if there is one: it may jump out of it or end the program; to return would be to
// fault again, and is the crash.
#pragma once

#include <signal.h>

#include "base/strong_id.h"

namespace heddle::native {

void keep_signals_as_start();
void rewind_signals();
// A new thread of the current one blocks what its creator does.
void inherit_signals(ThreadId child);

// Is there a handler for a fault? Then the kernel's signal returns into it, by what is written to `context`.
bool hand_fault_to_program(int signal, const siginfo_t& info, ucontext_t& context);

}  // namespace heddle::native
