// Time does not pass while the program runs; it passes when a thread sleeps or a wait times out, for that thread.
// So what a thread reads from a clock depends on its own history only, and runs are repeatable. All clocks show
// the same time.
//
// A loop that looks at the clock may wait for something with a deadline, or have nothing to do with it but that it
// waits for a time in each turn. Which of the two shows when much time passes at once: any time may pass between two
// turns. So a thread whose turn was in vain but for the clock finds it later by a year at its next turn, and if that is
// in vain as well it never gives up (turns.cpp).
#pragma once

#include <time.h>

#include <cstdint>

namespace heddle::runtime {

struct Deadline {
  std::uint64_t nanoseconds = 0;
};

inline constexpr std::uint64_t kYear = 365ull * 24 * 3600 * 1000000000;
// Lets a year pass for the current thread. False: the clock is too far ahead for that.
bool leap_in_time();

Deadline deadline_of(const timespec* absolute);
// The current thread's clock is at least there afterwards.
void pass_time_until(const Deadline& deadline);

}  // namespace heddle::runtime
