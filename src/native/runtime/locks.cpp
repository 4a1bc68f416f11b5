// Reader-writer locks, spin locks and semaphores. Their state is kept in the program's own object, in a
// layout of ours for which all zeros means what the static initialiser means.
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>

#include <string>

#include "native/runtime/assumptions.h"
#include "native/runtime/failure.h"
#include "native/runtime/happens_before.h"
#include "native/runtime/object_state.h"
#include "native/runtime/race_detector.h"
#include "native/runtime/scheduler.h"
#include "native/runtime/shadow.h"

using namespace heddle;
using namespace heddle::runtime;
using trace::FailureKind;
using trace::kHeldExclusively;
using trace::kLockFree;

namespace {

std::uint32_t me() { return rt.current.value + 1u; }

void acquired(ObjectId object) {
  if (rt.races_checked) clocks.acquire(object);
}
void released(ObjectId object) {
  if (rt.races_checked) clocks.release(object);
}

// --- objects that are no more ---

// Beside the state of each there is a word that is zero as long as it lives.
constexpr std::uint32_t kDestroyed = 0xdead0000;

void check_alive(std::uint32_t mark, const char* name, const void* pc) {
  if (mark == 0) [[likely]]
    return;
  EngineScope scope;
  fail_thread(FailureKind::kMutexMisuse, pc,
              std::string(name) + (mark == kDestroyed ? " is used after it was destroyed"
                                                      : " is used that is none: its memory holds something else"));
}

struct EndState {
  std::uint64_t state;
  bool used;
};

// To destroy is a step: it matters whether it comes before or after what others do. `in_use`: what is wrong if it is
// used.
template <class End>
int destroy(ObjectId object, const char* in_use, End&& end, const void* pc) {
  note_hidden_change();
  VisibleOperation op(OpKind::kUpdate, object, where_of(pc));
  op.with_order(__ATOMIC_RELAXED);
  op.await();
  const auto [state, used] = end();
  op.op().before = op.op().after = state;
  op.performed();
  if (!used) return 0;
  record_failure(FailureKind::kMutexMisuse, op.step().where, in_use);
  return EBUSY;
}
// Does somebody wait for this?
bool is_awaited(const void* subject) {
  bool any = false;
  rt.blocking.for_each_thread([&](ThreadId t) { any = any || rt.thread[t.index()].waits_for == subject; });
  return any;
}

// --- reader-writer locks ---

ReadWriteLock& inside(pthread_rwlock_t* lock) { return *reinterpret_cast<ReadWriteLock*>(lock); }

template <OpKind kKind>
bool can(const Thread& waiting) {
  return trace::enabled_at(kKind, state_of(*static_cast<const ReadWriteLock*>(waiting.waits_for)), 0);
}

ObjectId object_of(pthread_rwlock_t* lock) {
  return objects.at(lock, sizeof(pthread_rwlock_t), protocol::ObjectKind::kReadWriteLock);
}

void take(ReadWriteLock& state, bool write) {
  if (write)
    state.writer = me();
  else
    ++state.readers;
}

int try_lock_read_write(pthread_rwlock_t* lock, bool write, int busy, const void* pc);

int lock_read_write(pthread_rwlock_t* lock, bool write, const void* pc) {
  ReadWriteLock& state = inside(lock);
  if (!controlled()) {
    take(state, write);
    return 0;
  }
  if (state.writer == me()) return try_lock_read_write(lock, write, EDEADLK, pc);
  VisibleOperation op(write ? OpKind::kAcquire : OpKind::kSharedAcquire, object_of(lock), where_of(pc));
  op.block_until(write ? can<OpKind::kAcquire> : can<OpKind::kSharedAcquire>, &state);
  op.await();
  op.settle(state_of(state));
  take(state, write);
  acquired(op.op().object);
  op.performed();
  check_alive(state.destroyed, "a reader-writer lock", pc);
  return 0;
}

int try_lock_read_write(pthread_rwlock_t* lock, bool write, int busy, const void* pc) {
  ReadWriteLock& state = inside(lock);
  if (!controlled()) {
    take(state, write);
    return 0;
  }
  VisibleOperation op(write ? OpKind::kTryAcquire : OpKind::kSharedTry, object_of(lock), where_of(pc));
  op.await();
  const bool got = op.settle(state_of(state));
  if (state.writer != me()) note_attempt(got, pc);
  if (got) {
    take(state, write);
    acquired(op.op().object);
  }
  op.performed();
  check_alive(state.destroyed, "a reader-writer lock", pc);
  return got ? 0 : busy;
}

int unlock_read_write(pthread_rwlock_t* lock, const void* pc) {
  ReadWriteLock& state = inside(lock);
  if (!controlled()) {
    state = {};
    return 0;
  }
  check_alive(state.destroyed, "a reader-writer lock", pc);
  const bool write = state.writer == me();
  if (!write && state.readers == 0)
    fail_thread(FailureKind::kUnlockNotHeld, pc, "a thread unlocks a reader-writer lock that it does not hold");
  VisibleOperation op(write ? OpKind::kRelease : OpKind::kSharedRelease, object_of(lock), where_of(pc));
  op.await();
  op.settle(state_of(state));
  if (write)
    state.writer = 0;
  else
    --state.readers;
  released(op.op().object);
  op.performed();
  check_alive(state.destroyed, "a reader-writer lock", pc);
  return 0;
}

// --- spin locks ---

// The word is all there is.
constexpr int kDestroyedSpin = -1;
void check_spin(const volatile int* lock, const void* pc) {
  check_alive(*lock == kDestroyedSpin ? kDestroyed : 0, "a spin lock", pc);
}

// One that was destroyed keeps nobody out: whoever comes has failed.
std::uint64_t state_of(const volatile int& lock) { return lock > 0 ? kHeldExclusively : kLockFree; }
bool spin_is_free(const Thread& waiting) {
  return trace::enabled_at(OpKind::kAcquire, state_of(*static_cast<const volatile int*>(waiting.waits_for)), 0);
}

ObjectId object_of(pthread_spinlock_t* lock) {
  return objects.at(lock, sizeof(pthread_spinlock_t), protocol::ObjectKind::kMutex);
}

// --- semaphores ---

volatile std::uint32_t& count_of(sem_t* semaphore) { return *reinterpret_cast<volatile std::uint32_t*>(semaphore); }

volatile std::uint32_t& mark_of(sem_t* semaphore) { return *(&count_of(semaphore) + 1); }

bool count_positive(const Thread& waiting) {
  return trace::enabled_at(OpKind::kSemWait, *static_cast<const volatile std::uint32_t*>(waiting.waits_for), 0);
}

ObjectId object_of(sem_t* semaphore) { return objects.at(semaphore, sizeof(sem_t), protocol::ObjectKind::kSemaphore); }

int interrupted() {
  errno = EINTR;
  return -1;
}

int wait_semaphore(sem_t* semaphore, const void* pc) {
  auto& count = count_of(semaphore);
  if (!controlled()) {
    count = count - 1;
    return 0;
  }
  if (cancellation_point(pc, Interrupted::kUnlessRestarted)) return interrupted();
  VisibleOperation op(OpKind::kSemWait, object_of(semaphore), where_of(pc));
  op.block_until(count_positive, const_cast<std::uint32_t*>(&count));
  op.await();
  leave_cancellation_point();
  op.settle(count);
  count = count - 1;
  acquired(op.op().object);
  op.performed();
  check_alive(mark_of(semaphore), "a semaphore", pc);
  return 0;
}

int try_semaphore(sem_t* semaphore, int error, const void* pc) {
  auto& count = count_of(semaphore);
  if (!controlled()) return 0;
  VisibleOperation op(OpKind::kSemTry, object_of(semaphore), where_of(pc));
  op.await();
  const bool got = op.settle(count);
  note_attempt(got, pc);
  if (got) {
    count = count - 1;
    acquired(op.op().object);
  }
  op.performed();
  check_alive(mark_of(semaphore), "a semaphore", pc);
  if (got) return 0;
  errno = error;
  return -1;
}

int wait_semaphore_for_a_time(sem_t* semaphore, const void* pc) {
  if (controlled() && cancellation_point(pc, Interrupted::kUnlessRestarted)) return interrupted();
  leave_cancellation_point();
  return try_semaphore(semaphore, ETIMEDOUT, pc);
}

}  // namespace

#define PC __builtin_return_address(0)

extern "C" {

int pthread_rwlock_init(pthread_rwlock_t* lock, const pthread_rwlockattr_t*) noexcept {
  begin_life(lock);
  memset(lock, 0, sizeof *lock);
  return 0;
}
int pthread_rwlock_destroy(pthread_rwlock_t* lock) noexcept {
  if (!controlled()) return 0;
  const auto end = [&]() -> EndState {
    const std::uint64_t state = state_of(inside(lock));
    if (state == kLockFree) inside(lock).destroyed = kDestroyed;
    return {state, state != kLockFree};
  };
  return destroy(object_of(lock), "a locked reader-writer lock is destroyed", end, PC);
}
int pthread_rwlock_rdlock(pthread_rwlock_t* lock) noexcept { return lock_read_write(lock, false, PC); }
int pthread_rwlock_wrlock(pthread_rwlock_t* lock) noexcept { return lock_read_write(lock, true, PC); }
int pthread_rwlock_tryrdlock(pthread_rwlock_t* l) noexcept { return try_lock_read_write(l, false, EBUSY, PC); }
int pthread_rwlock_trywrlock(pthread_rwlock_t* l) noexcept { return try_lock_read_write(l, true, EBUSY, PC); }
int pthread_rwlock_timedrdlock(pthread_rwlock_t* l, const timespec*) noexcept {
  return try_lock_read_write(l, false, ETIMEDOUT, PC);
}
int pthread_rwlock_timedwrlock(pthread_rwlock_t* l, const timespec*) noexcept {
  return try_lock_read_write(l, true, ETIMEDOUT, PC);
}
int pthread_rwlock_clockrdlock(pthread_rwlock_t* l, clockid_t, const timespec*) noexcept {
  return try_lock_read_write(l, false, ETIMEDOUT, PC);
}
int pthread_rwlock_clockwrlock(pthread_rwlock_t* l, clockid_t, const timespec*) noexcept {
  return try_lock_read_write(l, true, ETIMEDOUT, PC);
}
int pthread_rwlock_unlock(pthread_rwlock_t* lock) noexcept { return unlock_read_write(lock, PC); }

int pthread_spin_init(pthread_spinlock_t* lock, int) noexcept {
  begin_life(lock);
  *lock = 0;
  return 0;
}
int pthread_spin_destroy(pthread_spinlock_t* lock) noexcept {
  if (!controlled()) return 0;
  const auto end = [&]() -> EndState {
    const bool held = *lock > 0;
    if (!held) *lock = kDestroyedSpin;
    return {state_of(*lock), held};
  };
  return destroy(object_of(lock), "a locked spin lock is destroyed", end, PC);
}
int pthread_spin_lock(pthread_spinlock_t* lock) noexcept {
  if (!controlled()) return 0;
  if (*lock == static_cast<int>(me()))
    fail_thread(FailureKind::kRelock, PC, "a thread locks a spin lock it already holds");
  VisibleOperation op(OpKind::kAcquire, object_of(lock), where_of(PC));
  op.block_until(spin_is_free, const_cast<int*>(lock));
  op.await();
  const bool alive = *lock == 0;
  op.settle(state_of(*lock));
  if (alive) *lock = static_cast<int>(me());
  acquired(op.op().object);
  op.performed();
  check_spin(lock, PC);
  return 0;
}
int pthread_spin_trylock(pthread_spinlock_t* lock) noexcept {
  if (!controlled()) return 0;
  VisibleOperation op(OpKind::kTryAcquire, object_of(lock), where_of(PC));
  op.await();
  const bool alive = *lock != kDestroyedSpin;
  const bool got = op.settle(state_of(*lock));
  if (*lock != static_cast<int>(me())) note_attempt(got, PC);
  if (got) {
    if (alive) *lock = static_cast<int>(me());
    acquired(op.op().object);
  }
  op.performed();
  check_spin(lock, PC);
  return got ? 0 : EBUSY;
}
int pthread_spin_unlock(pthread_spinlock_t* lock) noexcept {
  if (!controlled()) return 0;
  check_spin(lock, PC);
  if (*lock != static_cast<int>(me()))
    fail_thread(FailureKind::kUnlockNotHeld, PC, "a thread unlocks a spin lock that it does not hold");
  VisibleOperation op(OpKind::kRelease, object_of(lock), where_of(PC));
  op.await();
  op.settle(state_of(*lock));
  *lock = 0;
  released(op.op().object);
  op.performed();
  return 0;
}

int sem_init(sem_t* semaphore, int, unsigned value) noexcept {
  begin_life(semaphore);
  memset(semaphore, 0, sizeof *semaphore);
  count_of(semaphore) = value;
  return 0;
}
int sem_destroy(sem_t* semaphore) noexcept {
  if (!controlled()) return 0;
  const auto end = [&]() -> EndState {
    auto& count = count_of(semaphore);
    mark_of(semaphore) = kDestroyed;
    return {count, count == 0 && is_awaited(const_cast<std::uint32_t*>(&count))};
  };
  return destroy(object_of(semaphore), "a semaphore is destroyed while a thread waits for it", end, PC);
}
int sem_wait(sem_t* semaphore) { return wait_semaphore(semaphore, PC); }
int sem_trywait(sem_t* semaphore) noexcept { return try_semaphore(semaphore, EAGAIN, PC); }
int sem_timedwait(sem_t* semaphore, const timespec*) { return wait_semaphore_for_a_time(semaphore, PC); }
int sem_clockwait(sem_t* semaphore, clockid_t, const timespec*) { return wait_semaphore_for_a_time(semaphore, PC); }
int sem_post(sem_t* semaphore) noexcept {
  auto& count = count_of(semaphore);
  if (!controlled()) {
    count = count + 1;
    return 0;
  }
  VisibleOperation op(OpKind::kSemPost, object_of(semaphore), where_of(PC));
  op.await();
  op.settle(count);
  count = count + 1;
  released(op.op().object);
  op.performed();
  check_alive(mark_of(semaphore), "a semaphore", PC);
  return 0;
}
int sem_getvalue(sem_t* semaphore, int* value) noexcept {
  if (!controlled()) {
    *value = static_cast<int>(count_of(semaphore));
    return 0;
  }
  VisibleOperation op(OpKind::kRead, object_of(semaphore), where_of(PC));
  op.await();
  op.op().before = op.op().after = count_of(semaphore);
  op.performed();
  plain_access(reinterpret_cast<std::uintptr_t>(value), sizeof *value, true, PC);
  *value = static_cast<int>(op.op().before);
  return 0;
}
}
