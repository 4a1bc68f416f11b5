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

namespace heddle::runtime {

// A new thread of the current one blocks what its creator does.
void inherit_signals(ThreadId child);

// Another thread sends the current one a signal: it is pending until it is received.
void add_pending_signal(int signal);
// Is there any signal that the current thread does not block?
bool receives_signals();
// Receives what is pending and not blocked. Whether handlers have run, and whether all let calls be restarted.
enum class Handled : std::uint8_t { kNothing, kAllRestart, kInterrupting };
Handled receive_signals(const void* pc);
// Would the thread do anything about this signal?
bool acts_on_signal(ThreadId t, int signal);
// A plain access of the current thread, which may be in a handler that can come between any two of its accesses: what
// it touches is visible from now on, so that the handler is run between accesses to it.
void note_access_in_handler(std::uintptr_t address, std::size_t size);

// Has the program set a timer, and would do something about its signal? Here it never runs out.
bool waits_for_timer();

// Is there a handler for a fault? Then the kernel's signal returns into it, by what is written to `context`.
bool hand_fault_to_program(int signal, const siginfo_t& info, ucontext_t& context);

}  // namespace heddle::runtime
