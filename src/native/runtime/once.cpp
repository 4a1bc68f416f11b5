// One-time initialisation: pthread_once (std::call_once), static locals. Both are a flag that is read without the
// lock, and a lock held while initialising; only the first caller writes the flag, so later calls are reads that
// commute. What was done before main stays done in every execution, and asking for it takes no step.
#include <pthread.h>

#include <algorithm>
#include <vector>

#include "native/runtime/happens_before.h"
#include "native/runtime/once.h"
#include "native/runtime/scheduler.h"
#include "native/runtime/shadow.h"

using namespace heddle;
using namespace heddle::runtime;

namespace {

// The flag is the first byte; the second stands for the lock.
struct Once {
  volatile std::uint8_t done;
  volatile std::uint8_t running;
};

std::vector<const Once*> done_before_main;

bool was_done_before_main(const Once* once) {
  return once->done && std::find(done_before_main.begin(), done_before_main.end(), once) != done_before_main.end();
}

ObjectId flag_of(Once* once) { return objects.at(&once->done, 1, protocol::ObjectKind::kMemory); }
ObjectId lock_of(Once* once) { return objects.at(&once->running, 1, protocol::ObjectKind::kOnce); }

bool nobody_runs(const Thread& waiting) { return static_cast<const Once*>(waiting.waits_for)->running == 0; }

bool is_done(Once* once, const void* pc) {
  VisibleOperation op(OpKind::kRead, flag_of(once), where_of(pc));
  op.with_order(__ATOMIC_ACQUIRE);
  op.await();
  op.op().before = op.op().after = once->done;
  if (rt.races_checked) clocks.load(op.op().object, __ATOMIC_ACQUIRE);
  op.performed();
  return op.op().before != 0;
}

void unlock(Once* once, const void* pc) {
  VisibleOperation op(OpKind::kRelease, lock_of(once), where_of(pc));
  op.await();
  once->running = 0;
  op.op().before = trace::kHeldExclusively;
  op.op().after = trace::kLockFree;
  if (rt.races_checked) clocks.release(op.op().object);
  op.performed();
}

// True: the caller must initialise, and then finish or give up.
bool begin(Once* once, const void* pc) {
  VisibleOperation op(OpKind::kAcquire, lock_of(once), where_of(pc));
  op.block_until(nobody_runs, once);
  op.await();
  once->running = 1;
  op.op().before = trace::kLockFree;
  op.op().after = trace::kHeldExclusively;
  if (rt.races_checked) clocks.acquire(op.op().object);
  op.performed();
  // Written under the lock only: no operation of its own.
  if (once->done == 0) return true;
  unlock(once, pc);
  return false;
}

void finish(Once* once, const void* pc) {
  VisibleOperation op(OpKind::kWrite, flag_of(once), where_of(pc));
  op.with_order(__ATOMIC_RELEASE);
  op.await();
  op.op().before = once->done;
  once->done = 1;
  op.op().after = 1;
  if (rt.races_checked) clocks.store(op.op().object, __ATOMIC_RELEASE);
  op.performed();
  unlock(once, pc);
}

}  // namespace

namespace heddle::runtime {

int run_once_only(void* control, void (*function)(), const void* pc) {
  auto once = static_cast<Once*>(control);
  if (!controlled()) {
    if (once->done) return 0;
    function();
    once->done = 1;
    EngineScope scope;
    if (!rt.active) done_before_main.push_back(once);
    return 0;
  }
  if (was_done_before_main(once)) return 0;
  if (is_done(once, pc)) return 0;
  if (!begin(once, pc)) return 0;
  // An exception leaves it undone, for the next caller.
  struct Abandon {
    Once* once;
    const void* pc;
    bool finished;
    ~Abandon() {
      if (!finished) unlock(once, pc);
    }
  } abandon{once, pc, false};
  function();
  abandon.finished = true;
  finish(once, pc);
  return 0;
}

}  // namespace heddle::runtime

#define PC __builtin_return_address(0)

extern "C" {

int pthread_once(pthread_once_t* control, void (*function)()) { return run_once_only(control, function, PC); }

int __cxa_guard_acquire(std::uint64_t* guard) noexcept {
  auto once = reinterpret_cast<Once*>(guard);
  if (!controlled()) return once->done == 0;
  if (once->done && !rt.weak) return 0;  // under a memory model the caller may not have seen it yet
  return begin(once, PC);
}
void __cxa_guard_release(std::uint64_t* guard) noexcept {
  auto once = reinterpret_cast<Once*>(guard);
  if (controlled())
    finish(once, PC);
  else
    once->done = 1;
}
void __cxa_guard_abort(std::uint64_t* guard) noexcept {
  auto once = reinterpret_cast<Once*>(guard);
  if (controlled()) unlock(once, PC);
}
}
