#include "native/runtime/virtual_time.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>

#include "native/runtime/io_order.h"
#include "native/runtime/race_detector.h"
#include "native/runtime/raw.h"
#include "native/runtime/runtime.h"
#include "native/runtime/scheduler.h"
#include "native/runtime/shadow.h"
#include "native/runtime/turn_writes.h"
#include "native/runtime/world.h"

namespace heddle::runtime {
namespace {

// Monday the 1st of January 2024: a date that no program takes for "not set".
constexpr std::uint64_t kStart = 1704067200ull * 1000000000ull;
// Reading a clock twice must show progress, or loops that wait for time to pass never end. Who reads it again and again
// does wait for that: then each reading takes twice as long as the one before, up to a minute. So a loop with a
// deadline has some fifty turns, be it a microsecond or an hour away.
constexpr std::uint64_t kTick = 1000;
constexpr std::uint32_t kPatience = 32;
constexpr std::uint32_t kMostDoublings = 26;
// Clocks count nanoseconds in 64 bits, and programs add to them: in two hundred years they stand still.
constexpr std::uint64_t kLatest = 200 * kYear;

void pass_time(std::uint64_t nanoseconds) {
  Thread& self = rt.self();
  self.nanoseconds = std::max(self.nanoseconds, std::min(self.nanoseconds + nanoseconds, kLatest));
}

// Whoever hurries through a loop (turns.cpp) shall see any deadline pass.
constexpr std::uint32_t kMostDoublingsInAHurry = 44;

std::uint64_t now() {
  Thread& self = rt.self();
  const std::uint32_t doublings = self.hurried != 0 ? std::min(self.hurried, kMostDoublingsInAHurry)
                                  : self.clock_reads < kPatience
                                      ? 0
                                      : std::min(self.clock_reads - kPatience, kMostDoublings);
  ++self.clock_reads;
  ++self.looks_at_clock;
  pass_time(kTick << doublings);
  return kStart + self.nanoseconds;
}

// Sleeping lets others run, but so does every visible operation: there is nothing to explore here. Only a thread that
// sleeps again and again without any in between - it waits for what it looks at as plain memory, or goes round for ever
// - keeps the others from running: then a sleep is a step of its own, which touches nothing. It adds no class, counts
// towards the step bound, and whoever else can run does.
void give_way(const void* pc) {
  constexpr std::uint32_t kAtOnce = 4;
  Thread& self = rt.self();
  if (self.slept_at != self.steps) {
    self.slept_at = self.steps;
    self.sleeps = 0;
  }
  if (++self.sleeps < kAtOnce || rt.threads < 2 || self.hurried != 0) return;
  VisibleOperation op(OpKind::kChoose, kNoObject, where_of(pc));
  op.step().set = SmallSet::below(1);
  op.op().after = trace::kGivesWay;
  op.await();
  op.performed();
}

void sleep_for(std::uint64_t nanoseconds, const void* pc) {
  pass_time(nanoseconds);
  rt.self().clock_reads = 0;
  give_way(pc);
}

std::uint64_t as_nanoseconds(const timespec* t) {
  return static_cast<std::uint64_t>(t->tv_sec) * 1000000000ull + static_cast<std::uint64_t>(t->tv_nsec);
}

int with_errno(long result) {
  if (result >= 0) return static_cast<int>(result);
  errno = static_cast<int>(-result);
  return -1;
}

// Nobody is blocked in a sleep: to be interrupted is to be asked before it.
bool is_interrupted(const void* pc) {
  const bool interrupted = cancellation_point(pc, Interrupted::kAlways);
  leave_cancellation_point();
  return interrupted;
}

// What a call is given and hands back through a pointer.
void announce(const void* p, std::size_t size, bool write, const void* pc) {
  if (p && size != 0 && controlled()) plain_access(reinterpret_cast<std::uintptr_t>(p), size, write, pc);
}

// Waiting for descriptors: looks once; if nothing is ready the time is up at once. Only who would wait for ever waits.
template <class Look>
int look_or_sleep(const timespec* longest, const void* pc, Look look) {
  if (!controlled()) return look(longest);
  rt.pc = pc;
  if (is_interrupted(pc)) return with_errno(-EINTR);
  constexpr timespec kAtOnce{};
  int ready;
  do ready = look(longest ? &kAtOnce : nullptr);
  while (!longest && ready < 0 && errno == EINTR);  // by a signal of the runtime's own
  if (ready == 0 && longest) sleep_for(as_nanoseconds(longest), pc);
  return ready;
}

int wait_for(pollfd* descriptors, nfds_t count, const timespec* longest, const void* pc) {
  world.prepare_for_kernel(descriptors, count * sizeof *descriptors);
  for (nfds_t i = 0; i < count; ++i) {
    announce(&descriptors[i], offsetof(pollfd, revents), false, pc);
    announce(&descriptors[i].revents, sizeof descriptors[i].revents, true, pc);
  }
  const std::optional<int> found = look_at_descriptors({descriptors, count}, longest == nullptr, pc);
  return look_or_sleep(longest, pc, [=](const timespec* time) {
    if (found) return *found;
    timespec copy = time ? *time : timespec{};  // the kernel writes back what is left
    return with_errno(raw::syscall(SYS_ppoll, reinterpret_cast<long>(descriptors), static_cast<long>(count),
                                   time ? reinterpret_cast<long>(&copy) : 0, 0, 0));
  });
}

struct DescriptorSets {
  fd_set *read, *write, *except;
};

// The same question as poll's, unless it is about exceptional conditions or very many descriptors. The sets are filled
// in if there is an answer.
std::optional<int> look_at_sets(int count, const DescriptorSets& sets, bool for_ever, const void* pc) {
  constexpr int kMost = 64;
  pollfd asked[kMost];
  std::size_t used = 0;
  for (int fd = 0; fd < count; ++fd) {
    if (used == kMost || (sets.except && FD_ISSET(fd, sets.except))) return std::nullopt;
    short events = 0;
    if (sets.read && FD_ISSET(fd, sets.read)) events |= POLLIN;
    if (sets.write && FD_ISSET(fd, sets.write)) events |= POLLOUT;
    if (events != 0) asked[used++] = {fd, events, 0};
  }
  if (!look_at_descriptors({asked, used}, for_ever, pc)) return std::nullopt;
  int ready = 0;
  for (const pollfd& one : std::span(asked, used)) {
    if (one.revents & POLLNVAL) return std::nullopt;  // an error, which the kernel tells
    const bool reads = (one.revents & (POLLIN | POLLHUP | POLLERR)) != 0 && (one.events & POLLIN) != 0;
    const bool writes = (one.revents & (POLLOUT | POLLERR)) != 0 && (one.events & POLLOUT) != 0;
    if (sets.read && !reads) FD_CLR(one.fd, sets.read);
    if (sets.write && !writes) FD_CLR(one.fd, sets.write);
    ready += (reads ? 1 : 0) + (writes ? 1 : 0);
  }
  return ready;
}

int wait_for(int count, DescriptorSets sets, const timespec* longest, const void* pc) {
  const std::size_t bytes = static_cast<std::size_t>(count + 63) / 64 * 8;
  for (fd_set* set : {sets.read, sets.write, sets.except}) {
    if (!set) continue;
    world.prepare_for_kernel(set, sizeof *set);
    announce(set, bytes, true, pc);
  }
  const std::optional<int> found = look_at_sets(count, sets, longest == nullptr, pc);
  return look_or_sleep(longest, pc, [=](const timespec* time) {
    if (found) return *found;
    timespec copy = time ? *time : timespec{};
    return with_errno(raw::syscall(SYS_pselect6, count, reinterpret_cast<long>(sets.read),
                                   reinterpret_cast<long>(sets.write), reinterpret_cast<long>(sets.except),
                                   time ? reinterpret_cast<long>(&copy) : 0, 0));
  });
}

timespec as_timespec(std::uint64_t nanoseconds) {
  return {static_cast<time_t>(nanoseconds / 1000000000), static_cast<long>(nanoseconds % 1000000000)};
}

}  // namespace

bool leap_in_time() {
  if (rt.self().nanoseconds + kYear > kLatest) return false;
  pass_time(kYear);
  return true;
}

Deadline deadline_of(const timespec* absolute) { return {as_nanoseconds(absolute)}; }

void pass_time_until(const Deadline& deadline) {
  Thread& self = rt.self();
  if (kStart + self.nanoseconds < deadline.nanoseconds) self.nanoseconds = deadline.nanoseconds - kStart;
}

}  // namespace heddle::runtime

using namespace heddle::runtime;

#define PC __builtin_return_address(0)

extern "C" {
// rdtsc: nanoseconds, as a processor of one gigahertz counts them.
unsigned long heddle_clock() { return controlled() ? now() : __builtin_ia32_rdtsc(); }

int clock_gettime(clockid_t clock, timespec* result) noexcept {
  if (controlled()) {
    *result = as_timespec(now());
    if (rt.ways_watched) watch_ways(reinterpret_cast<std::uintptr_t>(result), sizeof *result, true);
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
  if (rt.ways_watched && controlled()) watch_ways(reinterpret_cast<std::uintptr_t>(result), sizeof *result, true);
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

int nanosleep(const timespec* duration, timespec* left) {
  if (!controlled()) return 0;
  announce(duration, sizeof *duration, false, PC);
  if (is_interrupted(PC)) {
    announce(left, sizeof *left, true, PC);
    if (left) *left = *duration;
    return with_errno(-EINTR);
  }
  sleep_for(as_nanoseconds(duration), PC);
  return 0;
}
int clock_nanosleep(clockid_t, int flags, const timespec* t, timespec* left) {
  if (!controlled()) return 0;
  announce(t, sizeof *t, false, PC);
  if (is_interrupted(PC)) {
    if (left && !(flags & TIMER_ABSTIME)) announce(left, sizeof *left, true, PC), *left = *t;
    return EINTR;
  }
  if (flags & TIMER_ABSTIME)
    pass_time_until(deadline_of(t)), give_way(PC);
  else
    sleep_for(as_nanoseconds(t), PC);
  return 0;
}
int usleep(useconds_t duration) {
  if (!controlled()) return 0;
  if (is_interrupted(PC)) return with_errno(-EINTR);
  sleep_for(duration * 1000ull, PC);
  return 0;
}
unsigned sleep(unsigned seconds) {
  if (!controlled()) return 0;
  if (is_interrupted(PC)) return seconds;
  sleep_for(seconds * 1000000000ull, PC);
  return 0;
}

int ppoll(pollfd* descriptors, nfds_t count, const timespec* longest, const sigset_t*) {
  announce(longest, sizeof *longest, false, PC);
  return wait_for(descriptors, count, longest, PC);
}
int poll(pollfd* descriptors, nfds_t count, int milliseconds) {
  const timespec longest{milliseconds / 1000, milliseconds % 1000 * 1000000L};
  return wait_for(descriptors, count, milliseconds < 0 ? nullptr : &longest, PC);
}
int pselect(int count, fd_set* read, fd_set* write, fd_set* except, const timespec* longest, const sigset_t*) {
  announce(longest, sizeof *longest, false, PC);
  return wait_for(count, {read, write, except}, longest, PC);
}
int select(int count, fd_set* read, fd_set* write, fd_set* except, timeval* longest) {
  if (!longest) return wait_for(count, {read, write, except}, nullptr, PC);
  announce(longest, sizeof *longest, false, PC);
  const timespec time{longest->tv_sec, longest->tv_usec * 1000};
  return wait_for(count, {read, write, except}, &time, PC);
}
int epoll_wait(int set, epoll_event* events, int most, int milliseconds) {
  world.prepare_for_kernel(events, static_cast<std::size_t>(most) * sizeof *events);
  announce(events, sizeof *events, true, PC);  // how many is known when it is done
  const timespec longest{milliseconds / 1000, milliseconds % 1000 * 1000000L};
  return look_or_sleep(milliseconds < 0 ? nullptr : &longest, PC, [=](const timespec* time) {
    const long wait = !time ? -1 : time->tv_sec * 1000 + time->tv_nsec / 1000000;
    return with_errno(raw::syscall(SYS_epoll_wait, set, reinterpret_cast<long>(events), most, wait));
  });
}

// There is one processor.
int sched_getcpu() noexcept {
  unsigned processor = 0;
  if (!controlled()) raw::syscall(SYS_getcpu, reinterpret_cast<long>(&processor), 0, 0);
  return static_cast<int>(processor);
}
int sched_yield() noexcept {
  if (controlled()) give_way(PC);
  return 0;
}
}
