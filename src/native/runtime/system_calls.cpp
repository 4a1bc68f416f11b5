// syscall(): futexes are visible operations (std::atomic::wait, latches, barriers and semaphores of C++20 use them
// directly), the thread id is ours; everything else goes to the kernel.
//
// A futex wait compares and goes to sleep in one step. It is recorded on the word itself: as kSleep when it does,
// as kSleepRefused when the value was another one already.
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdarg.h>
#include <string.h>
#include <sys/random.h>
#include <sys/types.h>
#include <unistd.h>

#include "native/runtime/happens_before.h"
#include "native/runtime/kernel_state.h"
#include "native/runtime/process_state.h"
#include "native/runtime/program_signals.h"
#include "native/runtime/race_detector.h"
#include "native/runtime/raw.h"
#include "native/runtime/scheduler.h"
#include "native/runtime/shadow.h"
#include "native/runtime/spinning.h"
#include "native/runtime/spurious.h"
#include "native/runtime/unseen_libraries.h"
#include "native/runtime/weak_futex.h"
#include "native/runtime/world.h"

using namespace heddle;
using namespace heddle::runtime;

namespace {

ObjectId object_of(const volatile std::uint32_t* word) { return objects.at(word, 4, protocol::ObjectKind::kMemory); }

// The kernel may end the sleep at any time.
long futex_wait_for_nothing(const volatile std::uint32_t* word, std::uint32_t expected, const void* pc) {
  VisibleOperation op(OpKind::kRead, object_of(word), where_of(pc));
  op.await();
  const std::uint32_t found = *word;
  op.op().before = op.op().after = found;
  op.performed();
  return found == expected ? 0 : -EAGAIN;
}

long futex_wait(const volatile std::uint32_t* word, std::uint32_t expected, bool timed, const Call& call) {
  if (wakes_spuriously(call, timed ? Spontaneous::kTimedSleep : Spontaneous::kSleep))
    return futex_wait_for_nothing(word, expected, call.pc);
  if (chooses_to_be_asked(call.pc, false)) {
    await_request(call.pc, true);
    return receive_signals(call.pc) == Handled::kNothing ? 0 : -EINTR;
  }
  if (rt.weak) return wait_at_futex(word, expected, timed, call.pc);
  const ObjectId object = object_of(word);
  const std::uint32_t where = where_of(call.pc);
  VisibleOperation op(OpKind::kSleep, object, where);
  op.op().after = expected;
  op.await();
  if (!op.settle(*word, timed ? trace::kTimedWait : 0)) {
    op.performed();
    return -EAGAIN;
  }
  register_waiter(const_cast<const std::uint32_t*>(word));
  op.performed();
  rt.in_engine = true;
  bool woken = true;
  if (timed)
    woken = park_until_woken_or_timeout(object, where, word);
  else
    park_until_woken();
  rt.in_engine = false;
  return woken ? 0 : -ETIMEDOUT;
}

long wake_one(const volatile std::uint32_t* word, const void* pc) {
  if (rt.weak) return wake_one_at_futex(word, pc);
  const void* queue = const_cast<const std::uint32_t*>(word);
  VisibleOperation op(OpKind::kSignal, object_of(word), where_of(pc));
  rt.self().waits_for = queue;
  rt.signalling.insert(rt.current);
  op.step().set = waiters_of(queue);
  op.await();
  rt.signalling.erase(rt.current);
  op.step().set = waiters_of(queue);
  const bool any = !op.step().set.empty();
  if (any) {
    op.step().choice = op.choice();
    wake(ThreadId(op.choice()));
  }
  op.op().before = op.op().after = *word;
  op.performed();
  return any ? 1 : 0;
}

long wake_all(const volatile std::uint32_t* word, const void* pc) {
  if (rt.weak) return wake_all_at_futex(word, pc);
  VisibleOperation op(OpKind::kBroadcast, object_of(word), where_of(pc));
  op.await();
  op.step().set = waiters_of(const_cast<const std::uint32_t*>(word));
  const long count = op.step().set.size();
  op.step().set.for_each_thread([](ThreadId t) { wake(t); });
  op.op().before = op.op().after = *word;
  op.performed();
  return count;
}

long wake_some(const volatile std::uint32_t* word, std::uint32_t most, const void* pc) {
  if (most >= static_cast<std::uint32_t>(INT_MAX)) return wake_all(word, pc);
  long woken = 0;
  while (woken < static_cast<long>(most) && wake_one(word, pc) == 1) ++woken;
  return woken;
}

// What FUTEX_WAKE_OP does to a word, and to which values of it (futex(2)).
struct WordChange {
  explicit WordChange(std::uint32_t encoded)
      : operation(encoded >> 28 & 7),
        comparison(encoded >> 24 & 15),
        operand(static_cast<std::int32_t>(encoded << 8) >> 20),
        compared(static_cast<std::int32_t>(encoded << 20) >> 20) {
    if ((encoded >> 28 & FUTEX_OP_OPARG_SHIFT) != 0) operand = static_cast<std::int32_t>(1u << (operand & 31));
  }
  bool is_known() const { return operation <= FUTEX_OP_XOR && comparison <= FUTEX_OP_CMP_GE; }
  std::uint32_t after(std::uint32_t before) const {
    const auto o = static_cast<std::uint32_t>(operand);
    switch (operation) {
      case FUTEX_OP_SET:
        return o;
      case FUTEX_OP_ADD:
        return before + o;
      case FUTEX_OP_OR:
        return before | o;
      case FUTEX_OP_ANDN:
        return before & ~o;
      default:
        return before ^ o;
    }
  }
  bool holds_for(std::uint32_t value) const {
    const auto before = static_cast<std::int32_t>(value);
    switch (comparison) {
      case FUTEX_OP_CMP_EQ:
        return before == compared;
      case FUTEX_OP_CMP_NE:
        return before != compared;
      case FUTEX_OP_CMP_LT:
        return before < compared;
      case FUTEX_OP_CMP_LE:
        return before <= compared;
      case FUTEX_OP_CMP_GT:
        return before > compared;
      default:
        return before >= compared;
    }
  }

  std::uint32_t operation, comparison;
  std::int32_t operand, compared;
};

std::uint32_t change(volatile std::uint32_t* word, const WordChange& how, const void* pc) {
  VisibleOperation op(OpKind::kUpdate, object_of(word), where_of(pc));
  op.await();
  const std::uint32_t before = *word;
  *word = how.after(before);
  op.settle(before, *word);
  if (rt.races_checked) {
    const std::uint32_t epoch = clocks.epoch(rt.current);
    clocks.update(op.op().object, __ATOMIC_SEQ_CST);
    atomic_access(word, sizeof *word, true, epoch, op.step().where);
  }
  op.performed();
  return before;
}

// Changes `other`, wakes who sleeps on `word`, and who sleeps on `other` if its value was so. To the kernel that is one
// step, and here it is one after the other: who goes to sleep in between is woken, as by a kernel that ends a sleep for
// no reason, which any may; and that it comes too late is another interleaving.
long change_and_wake(const volatile std::uint32_t* word, std::uint32_t most, volatile std::uint32_t* other,
                     std::uint32_t most_of_other, const WordChange& how, const void* pc) {
  if (!how.is_known()) return -ENOSYS;
  if (rt.weak)
    raw::die("the program uses FUTEX_WAKE_OP, which memory models do not go with; explore it with --memory=sc");
  const std::uint32_t before = change(other, how, pc);
  const long woken = wake_some(word, most, pc);
  return how.holds_for(before) ? woken + wake_some(other, most_of_other, pc) : woken;
}

// `a`: the six arguments of the system call.
long futex(const long* a, const Call& call) {
  const auto word = reinterpret_cast<volatile std::uint32_t*>(a[0]);
  const auto value = static_cast<std::uint32_t>(a[2]);
  const auto bits = static_cast<std::uint32_t>(a[5]);
  switch (static_cast<int>(a[1]) & FUTEX_CMD_MASK) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET: {
      const long result = futex_wait(word, value, a[3] != 0, call);
      go_on_in_unseen_library(call.pc);
      return result;
    }
    case FUTEX_WAKE_BITSET:
      if (bits != FUTEX_BITSET_MATCH_ANY)
        raw::die(
            "the program wakes only some of those who sleep on a futex (FUTEX_WAKE_BITSET), which heddle does not "
            "control; use a futex for each kind of waiter");
      [[fallthrough]];
    case FUTEX_WAKE:
      return wake_some(word, value, call.pc);
    case FUTEX_WAKE_OP:
      return change_and_wake(word, value, reinterpret_cast<volatile std::uint32_t*>(a[4]),
                             static_cast<std::uint32_t>(a[3]), WordChange(bits), call.pc);
    default:
      raw::die(
          "the program uses a futex operation other than to wait, to wake and FUTEX_WAKE_OP, which heddle does not "
          "control; use those");
  }
}

// Does the kernel keep anything of it, or answer by what it keeps?
bool touches(long number) {
  switch (number) {
    case SYS_getpid:
    case SYS_getppid:
    case SYS_getuid:
    case SYS_geteuid:
    case SYS_getgid:
    case SYS_getegid:
    case SYS_getcpu:
    case SYS_sched_getaffinity:
    case SYS_getrandom:
    case SYS_clock_gettime:
    case SYS_clock_getres:
    case SYS_gettimeofday:
    case SYS_nanosleep:
    case SYS_clock_nanosleep:
    case SYS_membarrier:
    case SYS_write:
      return false;
    default:
      return true;
  }
}

long with_errno(long result) {
  if (result >= 0 || result < -4095) return result;
  errno = static_cast<int>(-result);
  return -1;
}

}  // namespace

#define PC __builtin_return_address(0)

extern "C" {

long syscall(long number, ...) noexcept {
  va_list list;
  va_start(list, number);
  long a[6];
  for (long& argument : a) argument = va_arg(list, long);
  va_end(list);
  if (controlled()) {
    if (number == SYS_futex) return with_errno(futex(a, {PC, __builtin_frame_address(0)}));
    if (number == SYS_gettid) return 1000 + rt.current.value;
    if (number == SYS_sched_yield) return sched_yield();
    if (number == SYS_clone || number == SYS_fork || number == SYS_vfork)
      raw::die("the program starts threads or processes by system calls, which heddle does not control");
    if (number == SYS_mmap)
      return with_errno(map_memory(reinterpret_cast<void*>(a[0]), static_cast<std::size_t>(a[1]),
                                   static_cast<int>(a[2]), static_cast<int>(a[3]), static_cast<int>(a[4]), a[5]));
    if (number == SYS_munmap)
      return with_errno(unmap_memory(reinterpret_cast<void*>(a[0]), static_cast<std::size_t>(a[1])));
    if (number == SYS_mremap)
      return with_errno(remap_memory(reinterpret_cast<void*>(a[0]), static_cast<std::size_t>(a[1]),
                                     static_cast<std::size_t>(a[2]), static_cast<int>(a[3]),
                                     reinterpret_cast<void*>(a[4])));
    if (touches(number)) {
      note_hidden_change();
      touches_kernel_state();
      ask_before_system_call(number, a[0], a[1], a[2]);
    }
  }
  return with_errno(raw::syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]));
}

pid_t gettid() noexcept {
  return controlled() ? 1000 + rt.current.value : static_cast<pid_t>(raw::syscall(SYS_gettid));
}

// Input: the kernel must find the pages of the buffer open.
ssize_t read(int fd, void* buffer, std::size_t size) {
  note_hidden_change();
  if (controlled()) touches_kernel_state();
  world.prepare_for_kernel(buffer, size);
  return with_errno(raw::syscall(SYS_read, fd, reinterpret_cast<long>(buffer), static_cast<long>(size)));
}
ssize_t pread(int fd, void* buffer, std::size_t size, off_t offset) {
  note_hidden_change();
  if (controlled()) touches_kernel_state();
  world.prepare_for_kernel(buffer, size);
  return with_errno(raw::syscall(SYS_pread64, fd, reinterpret_cast<long>(buffer), static_cast<long>(size), offset));
}
int pipe(int* fds) noexcept {
  note_hidden_change();
  if (controlled()) touches_kernel_state();
  world.prepare_for_kernel(fds, 2 * sizeof(int));
  return static_cast<int>(with_errno(raw::syscall(SYS_pipe, reinterpret_cast<long>(fds))));
}

pid_t fork() noexcept {
  if (rt.active) raw::die("the program calls fork, which heddle does not control; test its parts in one process");
  return static_cast<pid_t>(with_errno(raw::syscall(SYS_fork)));
}
}
