#include "native/runtime/mutexes.h"

#include <errno.h>
#include <string.h>

#include "native/runtime/assumptions.h"
#include "native/runtime/failure.h"
#include "native/runtime/happens_before.h"
#include "native/runtime/scheduler.h"
#include "native/runtime/shadow.h"
#include "native/runtime/spinning.h"

namespace heddle::runtime {
namespace {

using trace::FailureKind;
using trace::kHeldExclusively;
using trace::kLockFree;

constexpr int kDestroyed = -1;
// More bits of __kind. The first is glibc's own.
constexpr int kRobust = 16;
constexpr int kOwnerDied = 32;  // nobody has called it consistent since
constexpr int kUnrecoverable = 64;
bool robust_mutexes = false;  // there is or was one

int type_of(const pthread_mutex_t* mutex) { return mutex->__data.__kind & 3; }
int me() { return rt.current.value + 1; }

std::uint64_t state_of(const pthread_mutex_t* mutex) {
  return mutex->__data.__owner == 0 ? kLockFree : kHeldExclusively;
}

bool is_free(const Thread& waiting) {
  return trace::enabled_at(OpKind::kAcquire, state_of(static_cast<const pthread_mutex_t*>(waiting.waits_for)), 0);
}

ObjectId object_of(const pthread_mutex_t* mutex) {
  return objects.at(mutex, sizeof(pthread_mutex_t), protocol::ObjectKind::kMutex);
}

void take(pthread_mutex_t* mutex) {
  mutex->__data.__lock = 1;
  mutex->__data.__owner = me();
  mutex->__data.__count = 1;
}

void give(pthread_mutex_t* mutex) {
  mutex->__data.__lock = 0;
  mutex->__data.__owner = 0;
  mutex->__data.__count = 0;
}

void check_alive(const pthread_mutex_t* mutex, const void* pc) {
  if (mutex->__data.__kind == kDestroyed) [[unlikely]]
    fail_thread(FailureKind::kMutexMisuse, pc, "a mutex is used after it was destroyed");
}

// Where no mutex can be, its frame has been left and others have been there since.
void check_is_mutex(const pthread_mutex_t* mutex, const void* pc) {
  check_alive(mutex, pc);
  const auto& data = mutex->__data;
  const bool possible = data.__nusers == 0 && data.__list.__prev == nullptr && data.__list.__next == nullptr &&
                        data.__lock >= 0 && data.__lock <= 1 && data.__owner >= 0 &&
                        static_cast<std::size_t>(data.__owner) <= kMaxThreads;
  if (!possible) [[unlikely]]
    fail_thread(FailureKind::kMutexMisuse, pc, "a mutex is used that is none: its memory holds something else");
}

void acquire(pthread_mutex_t* mutex, const void* pc) {
  VisibleOperation op(OpKind::kAcquire, object_of(mutex), where_of(pc));
  op.block_until(is_free, mutex);
  op.depends_on(static_cast<std::uint64_t>(type_of(mutex)));
  op.await();
  op.settle(state_of(mutex));
  take(mutex);
  if (rt.races_checked) clocks.acquire(op.op().object);
  op.performed();
  check_alive(mutex, pc);  // others may have destroyed it meanwhile
}

void release(pthread_mutex_t* mutex, OpKind kind, const void* pc, std::uint64_t after = kLockFree) {
  VisibleOperation op(kind, object_of(mutex), where_of(pc));
  op.depends_on(0);
  op.await();
  op.op().after = after;
  op.settle(state_of(mutex));
  give(mutex);
  if (rt.races_checked) clocks.release(op.op().object);
  op.performed();
}

// What getting a mutex means, if its owner died.
int judge_robust(pthread_mutex_t* mutex, const void* pc) {
  if ((mutex->__data.__kind & kUnrecoverable) == 0) return (mutex->__data.__kind & kOwnerDied) != 0 ? EOWNERDEAD : 0;
  release(mutex, OpKind::kRelease, pc);
  return ENOTRECOVERABLE;
}

}  // namespace

int lock_mutex(pthread_mutex_t* mutex, const void* pc) {
  if (!controlled()) {
    if (!rt.in_engine) take(mutex);
    return 0;
  }
  check_is_mutex(mutex, pc);
  if (mutex->__data.__owner == me()) {
    switch (type_of(mutex)) {
      case PTHREAD_MUTEX_RECURSIVE:
        note_kept(mutex->__data.__count);
        ++mutex->__data.__count;
        return 0;
      case PTHREAD_MUTEX_ERRORCHECK:
        return try_lock_mutex(mutex, EDEADLK, pc);
      default:
        fail_thread(FailureKind::kRelock, pc, "a thread locks a mutex it already holds");
    }
  }
  acquire(mutex, pc);
  return judge_robust(mutex, pc);
}

// A timed lock is the same with another answer: waiting first and then getting the lock is the try taken later. That
// the thread holds it itself makes it no less of a step: it may be all that a loop does.
int try_lock_mutex(pthread_mutex_t* mutex, int busy, const void* pc) {
  if (!controlled()) {
    if (!rt.in_engine) take(mutex);
    return 0;
  }
  check_is_mutex(mutex, pc);
  if (mutex->__data.__owner == me() && type_of(mutex) == PTHREAD_MUTEX_RECURSIVE) {
    note_kept(mutex->__data.__count);
    ++mutex->__data.__count;
    return 0;
  }
  VisibleOperation op(OpKind::kTryAcquire, object_of(mutex), where_of(pc));
  op.depends_on(static_cast<std::uint64_t>(busy));
  op.await();
  const bool got = op.settle(state_of(mutex));
  if (mutex->__data.__owner != me()) note_attempt(got, pc);
  if (got) {
    take(mutex);
    if (rt.races_checked) clocks.acquire(op.op().object);
  }
  op.performed();
  check_alive(mutex, pc);
  return got ? judge_robust(mutex, pc) : busy;
}

int unlock_mutex(pthread_mutex_t* mutex, const void* pc) {
  if (!controlled()) {
    if (!rt.in_engine) give(mutex);
    return 0;
  }
  check_is_mutex(mutex, pc);
  if (mutex->__data.__owner != me()) {
    if (type_of(mutex) == PTHREAD_MUTEX_ERRORCHECK || type_of(mutex) == PTHREAD_MUTEX_RECURSIVE) return EPERM;
    fail_thread(FailureKind::kUnlockNotHeld, pc,
                mutex->__data.__owner == 0 ? "a thread unlocks a mutex that is not locked"
                                           : "a thread unlocks a mutex that another thread holds");
  }
  if (mutex->__data.__count > 1) {
    note_kept(mutex->__data.__count);
    --mutex->__data.__count;
    return 0;
  }
  if (mutex->__data.__kind & kOwnerDied) mutex->__data.__kind |= kUnrecoverable;
  release(mutex, OpKind::kRelease, pc);
  return 0;
}

void release_robust_mutexes(const void* pc) {
  if (!robust_mutexes) return;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    if (objects.entry(i).kind != protocol::ObjectKind::kMutex) continue;
    const auto mutex = reinterpret_cast<pthread_mutex_t*>(objects.entry(i).address);
    if (mutex->__data.__owner != me() || mutex->__data.__kind == kDestroyed || (mutex->__data.__kind & kRobust) == 0)
      continue;
    mutex->__data.__kind |= kOwnerDied;
    release(mutex, OpKind::kRelease, pc);
  }
}

unsigned release_for_wait(pthread_mutex_t* mutex, bool timed, const void* pc) {
  const unsigned count = mutex->__data.__count;
  release(mutex, OpKind::kWaitRelease, pc, timed ? trace::kTimedWait : kLockFree);
  return count;
}

void reacquire_after_wait(pthread_mutex_t* mutex, unsigned count, const void* pc) {
  acquire(mutex, pc);
  mutex->__data.__count = count;
}

unsigned give_up_mutex(pthread_mutex_t* mutex, const void* pc) {
  const unsigned count = mutex->__data.__count;
  release(mutex, OpKind::kRelease, pc);
  return count;
}

void release_and_reacquire(pthread_mutex_t* mutex, const void* pc) {
  reacquire_after_wait(mutex, give_up_mutex(mutex, pc), pc);
}

bool holds_mutex(const pthread_mutex_t* mutex) { return mutex->__data.__owner == me(); }

}  // namespace heddle::runtime

using namespace heddle::runtime;

#define PC __builtin_return_address(0)

extern "C" {

int pthread_mutex_init(pthread_mutex_t* mutex, const pthread_mutexattr_t* attributes) noexcept {
  int type = PTHREAD_MUTEX_NORMAL;
  if (attributes) pthread_mutexattr_gettype(attributes, &type);
  begin_life(mutex);
  memset(mutex, 0, sizeof *mutex);
  mutex->__data.__kind = type;
  int robust = PTHREAD_MUTEX_STALLED;
  if (attributes) pthread_mutexattr_getrobust(attributes, &robust);
  if (robust == PTHREAD_MUTEX_ROBUST) {
    mutex->__data.__kind |= kRobust;
    robust_mutexes = true;
  }
  return 0;
}

int pthread_mutex_consistent(pthread_mutex_t* mutex) noexcept {
  if (mutex->__data.__kind == kDestroyed || (mutex->__data.__kind & kOwnerDied) == 0) return EINVAL;
  mutex->__data.__kind &= ~kOwnerDied;
  return 0;
}

int pthread_mutex_destroy(pthread_mutex_t* mutex) noexcept {
  if (!controlled()) {
    mutex->__data.__kind = kDestroyed;
    return 0;
  }
  // It matters whether it comes before or after what others do with the mutex.
  note_hidden_change();
  VisibleOperation op(OpKind::kUpdate, object_of(mutex), where_of(PC));
  op.with_order(__ATOMIC_RELAXED);
  op.await();
  const bool locked = mutex->__data.__owner != 0;
  op.op().before = op.op().after = state_of(mutex);
  if (!locked) mutex->__data.__kind = kDestroyed;
  op.performed();
  if (!locked) return 0;
  record_failure(heddle::trace::FailureKind::kMutexMisuse, op.step().where, "a locked mutex is destroyed");
  return EBUSY;
}

int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept { return lock_mutex(mutex, PC); }
int pthread_mutex_trylock(pthread_mutex_t* mutex) noexcept { return try_lock_mutex(mutex, EBUSY, PC); }
int pthread_mutex_timedlock(pthread_mutex_t* mutex, const timespec*) noexcept {
  return try_lock_mutex(mutex, ETIMEDOUT, PC);
}
int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t, const timespec*) noexcept {
  return try_lock_mutex(mutex, ETIMEDOUT, PC);
}
int pthread_mutex_unlock(pthread_mutex_t* mutex) noexcept { return unlock_mutex(mutex, PC); }
}
