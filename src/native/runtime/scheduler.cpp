#include "native/runtime/scheduler.h"

#include <string.h>

#include "base/assert.h"
#include "native/runtime/checkpoint.h"
#include "native/runtime/failure.h"
#include "native/runtime/freed_objects.h"
#include "native/runtime/happens_before.h"
#include "native/runtime/heap.h"
#include "native/runtime/inputs.h"
#include "native/runtime/io_order.h"
#include "native/runtime/kernel_threads.h"
#include "native/runtime/known_steps.h"
#include "native/runtime/object_state.h"
#include "native/runtime/parts.h"
#include "native/runtime/raw.h"
#include "native/runtime/scopes.h"
#include "native/runtime/shared_ids.h"
#include "native/runtime/sharing.h"
#include "native/runtime/turns.h"
#include "native/runtime/world.h"

namespace heddle::runtime {

constinit Runtime rt;

namespace {

constinit Scheduling kept[kMostCheckpoints];

void begin() {
  static_cast<Scheduling&>(rt) = {};
  rt.local = {};
  ++rt.generation;
}

void go_back(std::size_t checkpoint) {
  static_cast<Scheduling&>(rt) = kept[checkpoint];
  rt.local = {};
  rt.plain_write_size = 0;
}

}  // namespace

constinit const Part scheduler_part = described({
    .begin = begin,
    .keep = [](std::size_t checkpoint) { kept[checkpoint] = rt; },
    .go_back = go_back,
});

namespace {

constexpr std::size_t kStackBytes = 8ull << 20;
constexpr std::size_t kMainStackBytes = 64ull << 20;

// Every id ever given out, by the place in the spawn tree.
SpawnPlace places[kMaxThreads];

void enter(ThreadId t) {
  SLOW_INVARIANT(rt.kernel_threads || rt.thread[t.index()].stack.contains(
                                          reinterpret_cast<std::uintptr_t>(rt.thread[t.index()].stack_pointer)));
  rt.current = t;
  set_fs_base(rt.thread[t.index()].tls.base());
}

void switch_to(ThreadId next) {
  if (rt.kernel_threads) [[unlikely]]
    return hand_over(rt.current, next);
  Thread& from = rt.self();
  enter(next);
  heddle_switch_stack(&from.stack_pointer, rt.self().stack_pointer);
}

[[noreturn]] void jump_to(ThreadId next) {
  if (rt.kernel_threads) hand_over_for_good(next);
  void* abandoned;
  enter(next);
  heddle_switch_stack(&abandoned, rt.self().stack_pointer);
  __builtin_unreachable();
}

ThreadSet enabled_threads() {
  ThreadSet enabled = rt.pending.by_words() - rt.joining.by_words();
  if (rt.blocking.empty()) [[likely]]
    return enabled;
  enabled = enabled - rt.blocking;
  (rt.blocking & rt.pending).for_each_thread([&](ThreadId t) {
    const Thread& thread = rt.thread[t.index()];
    if (thread.enabled(thread)) enabled.insert(t);
  });
  return enabled;
}

// What the scheduler takes for enabled is enabled by the meaning of the object, as far as that can be read off from it:
// so a lock is never held twice, and no semaphore falls below zero.
bool agree_with_objects(ThreadSet enabled) {
  bool agree = true;
  (rt.pending.by_words() - rt.joining.by_words()).for_each_thread([&](ThreadId t) {
    const trace::Operation& op = rt.conductor.pending(t).op;
    agree = agree && rt.thread[t.index()].status == ThreadStatus::kPending;
    if (!trace::blocks(op.kind) || op.object == kNoObject) return;
    const Object& object = objects[op.object];
    if (!is_always_there(object.address) || is_of_descriptor(object.address)) return;
    const std::optional<std::uint64_t> state = state_of(object);
    agree = agree && (!state || enabled.contains(t) == trace::enabled_at(op.kind, *state, op.after));
  });
  return agree;
}

// The explorer keeps the state and comes back; later executions go on here, too.
void pause_for_checkpoint() {
  rt.ending = Ending::kAtCheckpoint;
  set_fs_base(rt.explorer_fs);
  heddle_switch_stack(&rt.self().stack_pointer, rt.explorer_stack);
}

// Whose turn is it? Ends the execution when it is nobody's.
ThreadId choose_next() {
  if (rt.plain_write_size != 0) [[unlikely]]
    enter_plain_write();
  if (!rt.local.empty()) {
    const ThreadId t = rt.local.first_thread();
    rt.local.erase(t);
    return t;
  }
  known_steps.arrive();
  if (rt.conductor.position() >= rt.checkpoint_at) [[unlikely]]
    if (checkpoints.possible()) pause_for_checkpoint();
  if (!rt.signalling.empty()) [[unlikely]]
    rt.signalling.for_each_thread(
        [](ThreadId t) { rt.conductor.pending(t).set = waiters_of(rt.thread[t.index()].waits_for); });
  if (rt.out_of_time) [[unlikely]]
    end_execution(Ending::kOutOfTime);
  const ThreadSet enabled = enabled_threads();
  SLOW_INVARIANT(agree_with_objects(enabled));
  ThreadId next = rt.conductor.next_thread(enabled);
  // Which outcomes a branch on inputs has is worked out when its thread is about to run, and then decided again.
  while (next != kNoThread && inputs && inputs->may_judge(next) && inputs->judge(next))
    next = rt.conductor.next_thread(enabled);
  if (next == kNoThread) {
    rt.final_enabled = enabled;
    end_execution(Ending::kNothingEnabled);
  }
  rt.choice = rt.conductor.choice();
  return next;
}

}  // namespace

bool others_can_run() { return !rt.local.empty() || !enabled_threads().empty(); }

void reschedule() {
  rt.self().stack_pointer = __builtin_frame_address(0);  // in case it never waits (checkpoint.cpp)
  const ThreadId next = choose_next();
  if (next == rt.current) return;
  switch_to(next);
  // What functions of other threads have returned meanwhile is no result of the function that waited here. (One store;
  // to ask whether inputs are tracked costs more.)
  memset(heddle_sym_call.results, 0, sizeof heddle_sym_call.results);
}

void leave_for_good() {
  rt.in_engine = true;
  jump_to(choose_next());
}

void stop_thread(Stopped why) {
  rt.in_engine = true;
  rt.self().stack_pointer = __builtin_frame_address(0);
  rt.self().status = ThreadStatus::kStopped;
  rt.self().stopped = why;
  rt.execution->stopped.insert(rt.current);
  if (why == Stopped::kInfeasible) rt.execution->unwanted.insert(rt.current);
  rt.conductor.retire(rt.current);
  leave_for_good();
}

void end_execution(Ending ending) {
  rt.in_engine = true;
  if (rt.plain_write_size != 0) enter_plain_write();
  if (ending == Ending::kTerminated) {
    rt.final_enabled = enabled_threads();
    if (inputs) inputs->judge_pending();
  }
  rt.ending = ending;
  rt.active = false;
  if (rt.kernel_threads) hand_over_to_explorer();
  set_fs_base(rt.explorer_fs);
  void* abandoned;
  heddle_switch_stack(&abandoned, rt.explorer_stack);
  __builtin_unreachable();
}

void remember_plain_write(std::uintptr_t address, std::size_t size) {
  rt.plain_write = address;
  rt.plain_write_size = size;
}

// Nobody else has had a visible operation since: it is the last step.
void enter_plain_write() {
  rt.execution->steps.back().op.after = value_at(rt.plain_write, rt.plain_write_size);
  rt.plain_write_size = 0;
  if (rt.weak) weak_memory.settle();
}

void register_waiter(const void* queue) {
  rt.self().waits_on = queue;
  rt.self().woken = false;
}

void park_until_woken() {
  Thread& self = rt.self();
  if (self.woken) return;
  self.status = ThreadStatus::kParked;
  rt.conductor.retire(rt.current);
  reschedule();
  leave_nothing_behind();
  self.status = ThreadStatus::kLocal;
}

bool park_until_woken_or_timeout(ObjectId object, std::uint32_t where, const volatile std::uint32_t* word) {
  Thread& self = rt.self();
  if (self.woken) return true;
  VisibleOperation timeout(OpKind::kTimeout, object, where);
  timeout.await();
  if (self.woken) {  // somebody's wake-up took the pending timeout back
    leave_nothing_behind();
    rt.in_engine = true;
    return true;
  }
  self.waits_on = nullptr;
  if (word) timeout.op().before = timeout.op().after = *word;
  timeout.performed();
  rt.in_engine = true;
  return false;
}

ThreadSet waiters_of(const void* queue) {
  ThreadSet set;
  for (std::size_t t = 0; t < rt.threads; ++t)
    if (rt.thread[t].waits_on == queue) set.insert(t);
  return set;
}

void wake(ThreadId t) {
  Thread& thread = rt.thread[t.index()];
  thread.waits_on = nullptr;
  thread.woken = true;
  const bool timed = thread.status == ThreadStatus::kPending && rt.conductor.pending(t).op.kind == OpKind::kTimeout;
  if (timed) {
    rt.pending.erase(t);
    rt.conductor.retire(t);
  }
  // One that is still about to release its mutex finds out by itself.
  if (timed || thread.status == ThreadStatus::kParked) rt.local.insert(t);
}

void check_still_there(const Step& step) {
  if (step.op.object == kNoObject || step.op.object.index() >= objects.size()) return;
  Object& object = objects[step.op.object];
  if (object.kind == protocol::ObjectKind::kMemory || object.address >> 32 == 0)
    return;  // those of the executable stay
  note_use(object);
  if (object.address - Heap::kBase >= Heap::kBytes) return check_scope(object, step.where);
  if (heap.accessible(object.address, object.size)) return;
  note_use_behind_end(object);
  report_bad_access(reinterpret_cast<const void*>(first_address(step.where)), object.address, object.size, true);
}

ThreadId child_id(ThreadId parent, std::uint16_t ordinal) {
  for (std::size_t i = 1; i < rt.known_threads; ++i)
    if (places[i].parent == parent && places[i].ordinal == ordinal) return ThreadId(static_cast<std::uint16_t>(i));
  const std::size_t id = ids_are_shared() ? shared_thread(parent, ordinal) : rt.known_threads;
  if (id >= kMostThreads)
    raw::die(
        kMaxThreads == 128
            ? "the program has more than 127 threads besides main at once, not counting those that were joined by who "
              "created them: start fewer, or build heddle for 254 with cmake -DHEDDLE_MAX_THREADS=256"
            : "the program has more than 254 threads besides main at once, not counting those that were joined by who "
              "created them: start fewer");
  places[id] = {parent, ordinal, 0, {}};
  if (id >= rt.known_threads) rt.known_threads = id + 1;
  return ThreadId(static_cast<std::uint16_t>(id));
}

NextChild next_child() {
  constexpr std::uint16_t kOwnIds = 16;  // so that most threads have a name of their own
  Thread& self = rt.self();
  const ThreadId joined = self.last_joined;
  // An unfolding takes a thread for what follows from its first condition, and so does a graph; kernel threads cannot
  // be made anew.
  if (self.spawned < kOwnIds || joined == kNoThread || sharing.watched() || rt.kernel_threads || rt.weak)
    return {child_id(rt.current, self.spawned++), false};
  self.last_joined = rt.thread[joined.index()].joined_before;
  return {joined, true};
}

SpawnPlace& spawn_place(ThreadId t) { return places[t.index()]; }

void prepare_thread(ThreadId t) {
  Thread& thread = rt.thread[t.index()];
  if (thread.stack.high != 0) return;
  thread.stack = create_stack(t.index() == 0 ? kMainStackBytes : kStackBytes);
  thread.tls.create();
  world.add(thread.tls.pages_begin(), thread.tls.pages_end());
}

void start_thread(ThreadId t, void (*entry)(void*)) {
  Thread& thread = rt.thread[t.index()];
  prepare_thread(t);
  thread.status = ThreadStatus::kLocal;
  thread.detached = thread.joined = thread.woken = thread.named = false;
  thread.looking = thread.looked = thread.looking_ahead = thread.cancellable = thread.only_if_asked = false;
  thread.cancelling = {};
  thread.enabled = nullptr;
  thread.waits_for = thread.waits_on = nullptr;
  thread.spawned = 0;
  thread.barriers = 0;
  thread.last_joined = thread.joined_before = kNoThread;
  thread.stopped = Stopped::kNo;
  thread.steps = 0;
  thread.spin.unchanged = false;
  thread.spin.allocated = false;
  thread.spin.piece = 0;
  thread.spin.began_anew = 0;
  thread.spin.blocks = thread.spin.blocks_before = 0;
  if (heddle_spinning_suspected) {
    turns[t.index()].forget();
    turns[t.index()].changed = {};
  }
  thread.hurried = 0;
  thread.section = 0;
  thread.section_object = kNoObject;
  thread.spurious = {};
  thread.frame = 0;
  thread.result = nullptr;
  thread.destructors = nullptr;
  thread.cleanups = nullptr;
  thread.random = 0;
  thread.nanoseconds = 0;
  thread.clock_reads = thread.looks_at_clock = 0;
  thread.slept_at = thread.sleeps = 0;
  thread.entry = entry;
  thread.stack_pointer = prepare_stack(thread.stack, entry, &thread);
  if (rt.kernel_threads) forget_kernel_thread(t);
  if (t.index() >= rt.threads) {
    for (std::size_t i = rt.threads; i < t.index(); ++i) {
      rt.thread[i].status = ThreadStatus::kAbsent;
      rt.thread[i].waits_on = nullptr;
    }
    rt.threads = t.index() + 1;
  }
  rt.local.insert(t);
}

void start_thread_again(ThreadId t, void (*entry)(void*)) {
  checkpoints.switch_off();
  known_steps.switch_off();
  Thread& thread = rt.thread[t.index()];
  const std::uint16_t spawned = thread.spawned;
  const ThreadId joined = thread.last_joined;
  world.rewind_pages(thread.tls.pages_begin(), thread.tls.pages_end());
  forget_requests_to(t);
  start_thread(t, entry);
  thread.spawned = spawned;  // its children keep their ids, too
  thread.last_joined = joined;
}

void mark_ended() {
  rt.self().status = ThreadStatus::kEnded;
  rt.joining.for_each_thread([](ThreadId t) {
    if (rt.thread[t.index()].joins == rt.current) rt.joining.erase(t);
  });
}

void end_thread() {
  rt.in_engine = true;
  mark_ended();
  clocks.thread_ended(rt.current);
  rt.conductor.retire(rt.current);
  leave_for_good();
}

}  // namespace heddle::runtime
