// Crashes of the program, and the write faults by which the world learns its hot pages.
#pragma once

#include <cstdint>

namespace heddle::runtime {

void install_signal_handlers();
// The calling kernel thread handles signals on a stack of its own from now on.
void use_signal_stack();
// A thread that takes this much processor time, or up to twice as much, without a visible operation has failed.
void watch_local_loops(double seconds);
// Timers do not survive a fork.
void watch_local_loops_in_child();
// A thread was found to sleep in the kernel, and stopped there; too many end the search.
void count_wait_in_kernel();
// Ends executions that still run when the time is over: they count as cut.
void watch_deadline(double seconds_left);
// How long until then; very long if there is none, 1 if it has passed.
std::int64_t milliseconds_left();
void watch_deadline_in_child();
void forget_deadline();
// SIGTERM ends the search, with what it has found. Otherwise the process: a search by several processes is in no state
// to tell.
void heed_requests_to_stop(bool heed);

}  // namespace heddle::runtime
