// Condition variables. Waiting is two visible operations, registering and releasing the mutex, then the wake-up, then
// the mutex again; or there is no wait at all, and the thread was woken spuriously (spurious.h). A signal picks among
// the waiters; that choice is the scheduler's (trace/operation.h).
#include "native/runtime/conditions.h"

#include <errno.h>
#include <string.h>

#include "native/runtime/failure.h"
#include "native/runtime/mutexes.h"
#include "native/runtime/program_signals.h"
#include "native/runtime/scheduler.h"
#include "native/runtime/shadow.h"
#include "native/runtime/virtual_time.h"

namespace heddle::runtime {
namespace {

ObjectId object_of(const pthread_cond_t* condition) {
  return objects.at(condition, sizeof(pthread_cond_t), protocol::ObjectKind::kCondition);
}

// glibc counts waiters there; here nothing is kept in the object itself but that it is no more. So one that lives is
// all zeros, and where anything else is, it was destroyed, or its frame has been left and others have been there since.
constexpr unsigned kDestroyed = 0xdead0000;

bool is_alive(const pthread_cond_t* condition) {
  static constexpr pthread_cond_t kNew = PTHREAD_COND_INITIALIZER;
  return memcmp(static_cast<const void*>(condition), static_cast<const void*>(&kNew), sizeof kNew) == 0;
}

void check_alive(const pthread_cond_t* condition, const void* pc) {
  if (is_alive(condition)) return;
  fail_thread(trace::FailureKind::kMutexMisuse, pc,
              condition->__data.__wrefs == kDestroyed
                  ? "a condition variable is used after it was destroyed"
                  : "a condition variable is used that is none: its memory holds something else");
}

// Interrupted: a handler runs without the mutex, what is left to do before the thread ends runs with it. After a
// handler the wait may return as from a spurious wake-up.
int wait_until_asked(pthread_mutex_t* mutex, const void* pc) {
  const unsigned count = give_up_mutex(mutex, pc);
  await_request(pc, true);
  receive_signals(pc);
  reacquire_after_wait(mutex, count, pc);
  act_on_cancellation(pc);
  return 0;
}

}  // namespace

int wait_on_condition(pthread_cond_t* condition, pthread_mutex_t* mutex, const Deadline* deadline, const Call& call) {
  if (!controlled()) return 0;
  const void* pc = call.pc;
  if (!holds_mutex(mutex))
    fail_thread(trace::FailureKind::kMutexMisuse, pc,
                "a thread waits on a condition variable without holding the mutex");
  cancellation_point(pc);
  if (chooses_to_be_asked(pc, true)) {
    leave_cancellation_point();
    return wait_until_asked(mutex, pc);
  }
  if (wakes_spuriously(call, deadline ? Spontaneous::kTimedWait : Spontaneous::kWait)) {
    leave_cancellation_point();
    release_and_reacquire(mutex, pc);
    return 0;
  }
  const std::uint32_t where = where_of(pc);
  const ObjectId object = object_of(condition);
  VisibleOperation wait(OpKind::kWait, object, where);
  wait.await();
  if (is_alive(condition)) register_waiter(condition);
  wait.performed();
  check_alive(condition, pc);
  const unsigned count = release_for_wait(mutex, deadline != nullptr, pc);
  rt.in_engine = true;
  bool woken = true;
  if (deadline)
    woken = park_until_woken_or_timeout(object, where);
  else
    park_until_woken();
  rt.in_engine = false;
  if (!woken) pass_time_until(*deadline);
  leave_cancellation_point();
  reacquire_after_wait(mutex, count, pc);
  return woken ? 0 : ETIMEDOUT;
}

int signal_condition(pthread_cond_t* condition, const void* pc) {
  if (!controlled()) return 0;
  VisibleOperation op(OpKind::kSignal, object_of(condition), where_of(pc));
  rt.self().waits_for = condition;
  rt.signalling.insert(rt.current);
  op.step().set = waiters_of(condition);
  op.await();
  rt.signalling.erase(rt.current);
  op.step().set = waiters_of(condition);
  if (!op.step().set.empty()) {
    op.step().choice = op.choice();
    wake(ThreadId(op.choice()));
  }
  op.performed();
  check_alive(condition, pc);
  return 0;
}

int broadcast_condition(pthread_cond_t* condition, const void* pc) {
  if (!controlled()) return 0;
  VisibleOperation op(OpKind::kBroadcast, object_of(condition), where_of(pc));
  op.await();
  op.step().set = waiters_of(condition);
  op.step().set.for_each_thread([](ThreadId t) { wake(t); });
  op.performed();
  check_alive(condition, pc);
  return 0;
}

}  // namespace heddle::runtime

using namespace heddle::runtime;

#define PC __builtin_return_address(0)
#define CALL (Call{PC, __builtin_frame_address(0)})

extern "C" {

int pthread_cond_init(pthread_cond_t* condition, const pthread_condattr_t* attributes) noexcept {
  begin_life(condition);
  memset(condition, 0, sizeof *condition);
  static_cast<void>(attributes);
  return 0;
}
// It matters whether it comes before or after what others do with it.
int pthread_cond_destroy(pthread_cond_t* condition) noexcept {
  if (!controlled() || rt.threads == 1) {
    condition->__data.__wrefs = kDestroyed;
    return 0;
  }
  note_hidden_change();
  VisibleOperation op(OpKind::kUpdate, object_of(condition), where_of(PC));
  op.with_order(__ATOMIC_RELAXED);
  op.await();
  const bool awaited = !waiters_of(condition).empty();
  condition->__data.__wrefs = kDestroyed;
  op.performed();
  if (awaited)
    record_failure(heddle::trace::FailureKind::kMutexMisuse, op.step().where,
                   "a condition variable is destroyed while a thread waits on it");
  return 0;
}
int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  return wait_on_condition(condition, mutex, nullptr, CALL);
}
int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex, const timespec* until) {
  const Deadline deadline = deadline_of(until);
  return wait_on_condition(condition, mutex, &deadline, CALL);
}
int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t, const timespec* until) {
  const Deadline deadline = deadline_of(until);
  return wait_on_condition(condition, mutex, &deadline, CALL);
}
int pthread_cond_signal(pthread_cond_t* condition) noexcept { return signal_condition(condition, PC); }
int pthread_cond_broadcast(pthread_cond_t* condition) noexcept { return broadcast_condition(condition, PC); }
}
