// Time does not pass while the program runs; it passes when a thread sleeps or a wait times out, for that thread.
// So what a thread reads from a clock depends on its own history only, and runs are repeatable. All clocks show
// the same time.
#pragma once

#include <time.h>

#include <cstdint>

namespace heddle::native {

struct Deadline {
  std::uint64_t nanoseconds = 0;
};

Deadline deadline_of(const timespec* absolute);
// The current thread's clock is at least there afterwards.
void pass_time_until(const Deadline& deadline);

}  // namespace heddle::native
