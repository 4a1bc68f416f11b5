#include "native/runtime/weak_futex.h"

#include <errno.h>

#include <map>

#include "native/runtime/happens_before.h"
#include "native/runtime/scheduler.h"
#include "native/runtime/shadow.h"
#include "native/runtime/unmodelled.h"

namespace heddle::runtime {
namespace {

using trace::kHeldExclusively;
using trace::kLockFree;
using Word = const volatile std::uint32_t;

// The lock of a word's queue; kept, and free in every new execution.
struct QueueLock {
  std::uint32_t generation = 0;  // of executions in which it was last taken
  bool held = false;
};
std::map<Word*, QueueLock>& locks() {
  static auto& all = *new std::map<Word*, QueueLock>;
  return all;
}

bool is_free(const Thread& waiting) {
  const auto& lock = *static_cast<const QueueLock*>(waiting.waits_for);
  return lock.generation != rt.generation || !lock.held;
}

// Objects at the second and the third byte of the word stand for the lock and the queue.
ObjectId object_at(Word* word, std::size_t byte) {
  return objects.at(reinterpret_cast<const volatile char*>(word) + byte, 1, protocol::ObjectKind::kFutex);
}
ObjectId lock_of(Word* word) { return object_at(word, 1); }
ObjectId queue_of(Word* word) { return object_at(word, 2); }

void lock_queue(Word* word, std::uint32_t where) {
  VisibleOperation op(OpKind::kAcquire, lock_of(word), where);
  QueueLock& lock = locks()[word];
  op.block_until(is_free, &lock);
  op.await();
  lock = {rt.generation, true};
  op.op().before = kLockFree;
  op.op().after = kHeldExclusively;
  clocks.acquire(op.op().object);
  op.performed();
}

void unlock_queue(Word* word, OpKind kind, std::uint32_t where, bool timed = false) {
  VisibleOperation op(kind, lock_of(word), where);
  op.await();
  locks()[word].held = false;
  op.op().before = kHeldExclusively;
  op.op().after = timed ? trace::kTimedWait : kLockFree;
  clocks.release(op.op().object);
  op.performed();
}

std::uint32_t read(Word* word, std::uint32_t where) {
  VisibleOperation op(OpKind::kRead, objects.at(word, 4, protocol::ObjectKind::kMemory), where);
  op.with_order(__ATOMIC_SEQ_CST);
  op.await();
  const std::uint32_t found = *word;
  op.op().before = op.op().after = found;
  clocks.load(op.op().object, __ATOMIC_SEQ_CST);
  op.performed();
  return found;
}

}  // namespace

long wait_at_futex(Word* word, std::uint32_t expected, bool timed, const void* pc) {
  const std::uint32_t where = where_of(pc);
  note_unmodelled(pc, "waiting for an atomic object under a memory model: not shown to explore every execution");
  lock_queue(word, where);
  if (read(word, where) != expected) {
    unlock_queue(word, OpKind::kRelease, where);
    return -EAGAIN;
  }
  const ObjectId queue = queue_of(word);
  VisibleOperation wait(OpKind::kWait, queue, where);
  wait.await();
  register_waiter(const_cast<const std::uint32_t*>(word));
  wait.performed();
  unlock_queue(word, OpKind::kWaitRelease, where, timed);
  rt.in_engine = true;
  bool woken = true;
  if (timed)
    woken = park_until_woken_or_timeout(queue, where);
  else
    park_until_woken();
  rt.in_engine = false;
  return woken ? 0 : -ETIMEDOUT;
}

long wake_one_at_futex(Word* word, const void* pc) {
  const std::uint32_t where = where_of(pc);
  const void* const waiting = const_cast<const std::uint32_t*>(word);
  lock_queue(word, where);
  VisibleOperation op(OpKind::kSignal, queue_of(word), where);
  rt.self().waits_for = waiting;
  rt.signalling.insert(rt.current);
  op.step().set = waiters_of(waiting);
  op.await();
  rt.signalling.erase(rt.current);
  op.step().set = waiters_of(waiting);
  const bool any = !op.step().set.empty();
  if (any) {
    op.step().choice = op.choice();
    wake(ThreadId(op.choice()));
  }
  op.performed();
  unlock_queue(word, OpKind::kRelease, where);
  return any ? 1 : 0;
}

long wake_all_at_futex(Word* word, const void* pc) {
  const std::uint32_t where = where_of(pc);
  lock_queue(word, where);
  VisibleOperation op(OpKind::kBroadcast, queue_of(word), where);
  op.await();
  op.step().set = waiters_of(const_cast<const std::uint32_t*>(word));
  const long count = op.step().set.size();
  op.step().set.for_each_thread([](ThreadId t) { wake(t); });
  op.performed();
  unlock_queue(word, OpKind::kRelease, where);
  return count;
}

}  // namespace heddle::runtime
