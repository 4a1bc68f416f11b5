// The other way of switching, behind the same scheduler (`--backend=threads`): every thread of the program under test
// is a kernel thread, so that a debugger sees it. Only one runs at a time; the others wait on a word of memory each.
//
// They use the stacks and the thread-local storage that fibers would use. So addresses are the same, and with them
// objects, steps and class counts: a schedule found with fibers is followed as it is.
//
// A kernel thread that was left for good cannot be rewound, so an execution needs a process of its own (isolation.h),
// or is the only one of its process (a debugged replay).
#pragma once

#include "native/runtime/runtime.h"

namespace heddle::runtime {

// The explorer lets thread 0 run and comes back when the execution is over.
void run_kernel_threads();
// The current thread waits until it is chosen again; `next` runs. Its kernel thread is made when it first runs.
void hand_over(ThreadId current, ThreadId next);
// The same for a thread that never comes back.
[[noreturn]] void hand_over_for_good(ThreadId next);
// The execution is over: the explorer goes on, all threads stay where they are.
[[noreturn]] void hand_over_to_explorer();
// `t` is to run from its beginning when it is next chosen.
void forget_kernel_thread(ThreadId t);
// A signal for the process may arrive in a thread that waits. True if it was passed on to the one that runs.
bool passed_on_to_running_thread(int signal);

}  // namespace heddle::runtime
