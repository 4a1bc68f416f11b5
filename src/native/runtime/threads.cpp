// POSIX threads: creation, joining, ending, identity and thread-specific data.
//
// pthread_t is the address of the thread's descriptor, as in glibc, so that code of the C library that compares it
// with the FS base agrees.
#include <errno.h>
#include <pthread.h>
#include <string.h>

#include <utility>

#include "native/runtime/assumptions.h"
#include "native/runtime/checkpoint.h"
#include "native/runtime/failure.h"
#include "native/runtime/happens_before.h"
#include "native/runtime/inputs.h"
#include "native/runtime/known_steps.h"
#include "native/runtime/mutexes.h"
#include "native/runtime/parts.h"
#include "native/runtime/process_end.h"
#include "native/runtime/program_signals.h"
#include "native/runtime/race_detector.h"
#include "native/runtime/raw.h"
#include "native/runtime/scheduler.h"
#include "native/runtime/shadow.h"
#include "native/runtime/sharing.h"
#include "native/runtime/spinning.h"
#include "native/runtime/start.h"
#include "native/runtime/threads.h"
#include "native/runtime/virtual_time.h"

using namespace heddle;
using namespace heddle::runtime;

namespace heddle::runtime {

ThreadId thread_of(pthread_t handle) {
  for (std::size_t t = 0; t < rt.threads; ++t)
    if (rt.thread[t].tls.base() == handle && rt.thread[t].status != ThreadStatus::kAbsent)
      return ThreadId(static_cast<std::uint16_t>(t));
  return kNoThread;
}

namespace {

constexpr std::size_t kKeys = sizeof(Thread::keys) / sizeof(void*);
struct Key {
  bool used;
  void (*destructor)(void*);
};

// Keys are part of the program's world: this table is made fresh for every execution from what global
// constructors created.
struct KeyTable {
  Key key[kKeys];
  std::size_t used;  // one past the highest ever used
};
KeyTable keys;
KeyTable start_keys;

pthread_t handle_of(ThreadId t) { return rt.thread[t.index()].tls.base(); }

void run_key_destructors() {
  Thread& self = rt.self();
  for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS; ++round) {
    bool any = false;
    for (std::size_t i = 0; i < keys.used; ++i) {
      void* value = self.keys[i];
      if (!value || !keys.key[i].used || !keys.key[i].destructor) continue;
      self.keys[i] = nullptr;
      any = true;
      keys.key[i].destructor(value);
    }
    if (!any) return;
  }
}

}  // namespace

constinit const Part keys_part = described({
    .keep_as_start = [] { start_keys = keys; },
    .begin =
        [] {
          if (keys.used > 0) keys = start_keys;
        },
    .memory = {{&keys, sizeof keys}},
});

std::size_t keys_in_use() { return keys.used; }

void clear_thread_keys(Thread& thread) {
  if (keys.used > 0) memset(thread.keys, 0, keys.used * sizeof(void*));
}

void finish_thread() {
  if (rt.asked != 0) look_before(OpKind::kTerminate, reinterpret_cast<const void*>(rt.self().function));
  run_thread_local_destructors();
  run_key_destructors();
  release_robust_mutexes(reinterpret_cast<const void*>(rt.self().function));
  end_thread();
}

namespace {
void thread_entry(void* argument) {
  rt.in_engine = false;
  auto& self = *static_cast<Thread*>(argument);
  offer_argument(reinterpret_cast<const void*>(self.function), TermId(self.argument_term));
  leave_nothing_behind();
  self.result = self.function(self.argument);
  HEDDLE_KEEP_DEAD_FRAMES();
  finish_thread();
}
}  // namespace

int spawn(pthread_t* handle, bool detached, void* (*function)(void*), void* argument, const void* pc) {
  if (!rt.active) {
    control_constructors();
    raw::die(
        "a thread is created before main, in the constructor of a library; heddle controls threads from the "
        "constructors of the executable on");
  }
  note_threads();
  // Where glibc stores it, too: before the thread runs. Other threads that look at it race.
  if (controlled()) plain_access(reinterpret_cast<std::uintptr_t>(handle), sizeof *handle, true, pc);
  const auto [child, again] = next_child();
  const TermId argument_term = runtime::argument_term(reinterpret_cast<const void*>(&pthread_create), 3);
  heddle_sym_call.callee = nullptr;
  VisibleOperation op(OpKind::kSpawn, kNoObject, where_of(pc));
  op.op().peer = child;
  op.depends_on(mix(reinterpret_cast<std::uint64_t>(handle)) ^ mix(reinterpret_cast<std::uint64_t>(argument) + 1) ^
                reinterpret_cast<std::uint64_t>(function) ^ (detached ? 1u : 0u));
  op.await();
  Thread& thread = rt.thread[child.index()];
  if (again)
    start_thread_again(child, thread_entry);
  else
    start_thread(child, thread_entry);
  clear_thread_keys(thread);
  inherit_signals(child);
  thread.function = function;
  thread.argument = argument;
  thread.argument_term = argument_term.value;
  thread.detached = detached;
  thread.nanoseconds = rt.self().nanoseconds;
  spawn_place(child).where = op.step().where;
  clocks.spawned(rt.current, child, again);
  if (sharing.watched()) sharing.spawned(rt.current, child);
  *handle = handle_of(child);
  op.performed();
  return 0;
}

int join(pthread_t handle, void** result, const void* pc, bool only_tries) {
  const ThreadId peer = thread_of(handle);
  if (peer == kNoThread) return ESRCH;
  if (peer == rt.current) return EDEADLK;
  Thread& thread = rt.thread[peer.index()];
  if (thread.detached || thread.joined) return EINVAL;
  cancellation_point(pc);
  VisibleOperation op(OpKind::kJoin, kNoObject, where_of(pc));
  op.op().peer = peer;
  if (only_tries) op.op().after = trace::kOnlyTries;
  op.block_until_ended(peer);
  op.depends_on(reinterpret_cast<std::uint64_t>(result));
  op.await();
  leave_cancellation_point();
  thread.joined = true;
  thread.joined_by = rt.current;
  thread.joined_before = std::exchange(rt.self().last_joined, peer);
  clocks.joined(rt.current, peer);
  if (sharing.watched() && !result) op.op().after |= trace::kSawNothing;  // until it looks at something
  op.performed();
  if (sharing.watched()) sharing.joined(rt.current, peer);
  if (result) {
    plain_access(reinterpret_cast<std::uintptr_t>(result), sizeof *result, true, pc);
    *result = thread.result;
  }
  return 0;
}

// To try to join. Nobody can tell a thread that has ended from one that is about to: that it still runs is an answer
// that is right at any time, and that it has ended one that is right as soon as it has. So the answer is a choice: 0,
// it runs; 1, it has ended, and the thread that tries comes so late that it has. If it never ends, nobody would ever
// have been given that answer, and the execution does not count (judge_unfinished). A thread that goes on trying and
// does nothing else waits: it is told twice that the other one runs.
namespace {
struct Tries {
  std::uint64_t steps;  // of the thread, after its last try
  std::uint32_t count;
};
constinit Tries tries[kMaxThreads] = {};

bool chooses_to_join(const void* pc) {
  constexpr std::uint32_t kOften = 2;
  checkpoints.switch_off();  // they do not keep tries
  known_steps.switch_off();
  Tries& own = tries[rt.current.index()];
  if (own.steps != rt.self().steps) own.count = 0;
  if (own.count >= kOften) return true;
  VisibleOperation choice(OpKind::kChoose, kNoObject, where_of(pc));
  choice.step().set = SmallSet::below(2);
  choice.await();
  choice.step().choice = choice.choice();
  choice.performed();
  ++own.count;
  own.steps = rt.self().steps;
  return choice.step().choice == 1;
}

int try_join(pthread_t handle, void** result, int busy, const void* pc) {
  const ThreadId peer = thread_of(handle);
  if (peer == kNoThread) return ESRCH;
  const Thread& thread = rt.thread[peer.index()];
  if (thread.detached || thread.joined) return EINVAL;
  if (peer == rt.current || !chooses_to_join(pc)) return busy;
  return join(handle, result, pc, true);
}

int join_before(pthread_t handle, void** result, const timespec* until, const void* pc) {
  const int error = try_join(handle, result, ETIMEDOUT, pc);
  if (error == ETIMEDOUT) pass_time_until(deadline_of(until));
  return error;
}

void forget_tries() {
  for (std::size_t t = 0; t < rt.known_threads; ++t) tries[t] = {};
}

}  // namespace

constinit const Part tries_part = described({
    .begin = forget_tries,
    .not_kept = "who tries switches checkpoints off",
});

}  // namespace heddle::runtime

#define PC __builtin_return_address(0)

extern "C" {

int pthread_create(pthread_t* handle, const pthread_attr_t* attributes, void* (*function)(void*),
                   void* argument) noexcept {
  int state = PTHREAD_CREATE_JOINABLE;
  if (attributes) pthread_attr_getdetachstate(attributes, &state);
  return spawn(handle, state == PTHREAD_CREATE_DETACHED, function, argument, PC);
}

int pthread_join(pthread_t handle, void** result) { return join(handle, result, PC); }

int pthread_tryjoin_np(pthread_t handle, void** result) noexcept { return try_join(handle, result, EBUSY, PC); }
int pthread_timedjoin_np(pthread_t handle, void** result, const timespec* until) {
  return until ? join_before(handle, result, until, PC) : join(handle, result, PC);
}
int pthread_clockjoin_np(pthread_t handle, void** result, clockid_t, const timespec* until) {
  return until ? join_before(handle, result, until, PC) : join(handle, result, PC);
}

int pthread_detach(pthread_t handle) noexcept {
  const ThreadId peer = thread_of(handle);
  if (peer == kNoThread) return ESRCH;
  if (rt.thread[peer.index()].detached || rt.thread[peer.index()].joined) return EINVAL;
  rt.thread[peer.index()].detached = true;
  return 0;
}

pthread_t pthread_self() noexcept { return current_fs_base(); }
int pthread_equal(pthread_t a, pthread_t b) noexcept { return a == b; }

int pthread_key_create(pthread_key_t* key, void (*destructor)(void*)) noexcept {
  for (std::size_t i = 0; i < kKeys; ++i) {
    if (keys.key[i].used) continue;
    keys.key[i] = {true, destructor};
    if (i >= keys.used) keys.used = i + 1;
    for (std::size_t t = 0; t < kMaxThreads; ++t) rt.thread[t].keys[i] = nullptr;
    *key = static_cast<pthread_key_t>(i);
    return 0;
  }
  return EAGAIN;
}
int pthread_key_delete(pthread_key_t key) noexcept {
  if (key >= kKeys || !keys.key[key].used) return EINVAL;
  keys.key[key].used = false;
  return 0;
}
void* pthread_getspecific(pthread_key_t key) noexcept { return key < kKeys ? rt.self().keys[key] : nullptr; }
int pthread_setspecific(pthread_key_t key, const void* value) noexcept {
  if (key >= kKeys || !keys.key[key].used) return EINVAL;
  note_kept(rt.self().keys[key]);
  rt.self().keys[key] = const_cast<void*>(value);
  return 0;
}

int pthread_setname_np(pthread_t handle, const char* name) noexcept {
  const ThreadId t = thread_of(handle);
  if (t == kNoThread) return ESRCH;
  if (strlen(name) > 15) return ERANGE;
  strcpy(spawn_place(t).name, name);
  rt.thread[t.index()].named = true;
  return 0;
}
int pthread_getname_np(pthread_t handle, char* name, std::size_t size) noexcept {
  known_steps.switch_off();  // which do not look at names
  const ThreadId t = thread_of(handle);
  if (t == kNoThread) return ESRCH;
  const char* given = rt.thread[t.index()].named ? spawn_place(t).name : "";  // not in an execution before
  if (size <= strlen(given)) return ERANGE;
  strcpy(name, given);
  return 0;
}
}
