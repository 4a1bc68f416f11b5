// How the program ends: exit, return from main, abort, failed assertions, uncaught exceptions.
#pragma once

#include "native/runtime/runtime.h"

namespace heddle::runtime {

// Registers our handler as the first, hence last to run, of atexit's list. Before any constructor.
void take_over_exit();
// Installs our handler of std::terminate; a program that sets its own keeps it. When constructors have run.
void take_over_terminate();
// exit(code) by the current thread: handlers run, then the process ends.
[[noreturn]] void exit_program(int code, const void* pc);
// thread_local destructors of the current thread.
void run_thread_local_destructors();

}  // namespace heddle::runtime
