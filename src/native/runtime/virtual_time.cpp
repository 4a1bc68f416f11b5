#include "native/runtime/virtual_time.h"

#include <errno.h>
#include <sched.h>
#include <sys/time.h>
#include <unistd.h>

#include "native/runtime/raw.h"
#include "native/runtime/runtime.h"

namespace heddle::native {
namespace {

// Monday the 1st of January 2024: a date that no program takes for "not set".
constexpr std::uint64_t kStart = 1704067200ull * 1000000000ull;
// Reading a clock twice must show progress, or loops that wait for time to pass never end.
constexpr std::uint64_t kTick = 1000;

// A loop that watches the clock is no repetition of itself (spinning.h): one day it sees its deadline pass.
void advance(std::uint64_t nanoseconds) {
  Thread& self = rt.self();
  self.nanoseconds += nanoseconds;
  self.spin.unchanged = false;
}

std::uint64_t now() {
  advance(kTick);
  return kStart + rt.self().nanoseconds;
}

void sleep_for(std::uint64_t nanoseconds) { rt.self().nanoseconds += nanoseconds; }

timespec as_timespec(std::uint64_t nanoseconds) {
  return {static_cast<time_t>(nanoseconds / 1000000000), static_cast<long>(nanoseconds % 1000000000)};
}

std::uint64_t as_nanoseconds(const timespec* t) {
  return static_cast<std::uint64_t>(t->tv_sec) * 1000000000ull + static_cast<std::uint64_t>(t->tv_nsec);
}

}  // namespace

Deadline deadline_of(const timespec* absolute) { return {as_nanoseconds(absolute)}; }

void pass_time_until(const Deadline& deadline) {
  Thread& self = rt.self();
  if (kStart + self.nanoseconds < deadline.nanoseconds) self.nanoseconds = deadline.nanoseconds - kStart;
}

}  // namespace heddle::native

using namespace heddle::native;

extern "C" {

int clock_gettime(clockid_t clock, timespec* result) noexcept {
  if (controlled()) {
    *result = as_timespec(now());
    return 0;
  }
  const long error = raw::syscall(SYS_clock_gettime, clock, reinterpret_cast<long>(result));
  if (error == 0) return 0;
  errno = static_cast<int>(-error);
  return -1;
}
int timespec_get(timespec* result, int base) noexcept {
  clock_gettime(CLOCK_REALTIME, result);
  return base;
}
int gettimeofday(timeval* __restrict result, void* __restrict) noexcept {
  timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  *result = {t.tv_sec, t.tv_nsec / 1000};
  return 0;
}
time_t time(time_t* result) noexcept {
  timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  if (result) *result = t.tv_sec;
  return t.tv_sec;
}
clock_t clock() noexcept {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec % 1000000 * CLOCKS_PER_SEC + t.tv_nsec / (1000000000 / CLOCKS_PER_SEC);
}

int nanosleep(const timespec* duration, timespec*) {
  if (controlled()) sleep_for(as_nanoseconds(duration));
  return 0;
}
int clock_nanosleep(clockid_t, int flags, const timespec* t, timespec*) {
  if (!controlled()) return 0;
  if (flags & TIMER_ABSTIME)
    pass_time_until(deadline_of(t));
  else
    sleep_for(as_nanoseconds(t));
  return 0;
}
int usleep(useconds_t duration) {
  if (controlled()) sleep_for(duration * 1000ull);
  return 0;
}
unsigned sleep(unsigned seconds) {
  if (controlled()) sleep_for(seconds * 1000000000ull);
  return 0;
}

// Yielding lets others run, but so does every visible operation: there is nothing to explore here.
int sched_yield() noexcept { return 0; }
}
