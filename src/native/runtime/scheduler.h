// Visible operations of the program under test. An interposed function describes its operation, waits until the
// scheduler picks it, performs it, and says what happened:
//
//   VisibleOperation op(OpKind::kAcquire, object_of(...), where);
//   op.block_until(test, mutex);   // if it can be disabled
//   op.await();                    // other threads run here
//   ... change the program's state ...
//   op.performed();
//
// The scheduling loop runs inline on the stack of the thread that announced last. A thread that has been started
// or woken and has no operation yet is `local`: it runs to its next operation before anybody is chosen, because
// its next operation belongs to the state (trace/conductor.h).
#pragma once

#include "native/runtime/atomic_sections.h"
#include "native/runtime/debugging.h"
#include "native/runtime/requests.h"
#include "native/runtime/runtime.h"
#include "native/runtime/spinning.h"
#include "native/runtime/weak_memory.h"
#include "trace/object.h"

namespace heddle::runtime {

// Gives the processor to whoever is next; returns when the current thread is chosen or woken.
void reschedule();
// The same for a thread that never comes back. Safe on the signal stack.
[[noreturn]] void leave_for_good();
// Stops the current thread, which has not failed; the others go on.
[[noreturn]] void stop_thread(Stopped why);
// Can anybody but the current thread go on?
bool others_can_run();
// Ends the execution now.
[[noreturn]] void end_execution(Ending ending);

// A plain write that is a visible operation happens after its callback: its value is entered into the trace
// when its thread next gives up the processor.
void remember_plain_write(std::uintptr_t address, std::size_t size);
void enter_plain_write();

// A lock, a condition variable, ... that the step was about: its memory may have been freed, before or while the thread
// waited. (The step is taken, and then it fails: it is the same in every execution.)
void check_still_there(const Step& step);

class VisibleOperation {
 public:
  // The operation is written where the conductor keeps it: copying 64 bytes that were written a moment ago, field by
  // field, costs more than all the rest.
  VisibleOperation(OpKind kind, ObjectId object, std::uint32_t where) : step_(rt.conductor.pending(rt.current)) {
    if (rt.asked != 0) [[unlikely]]
      look_before(kind, rt.pc);
    rt.in_engine = true;
    step_.op = {.kind = kind, .object = object};
    step_.where = where;
    step_.thread = rt.current;
    step_.choice = 0;
    step_.set = {};
    rt.self().foreseeable = false;
  }

  // Besides what the operation finds, what the thread does from here on depends on its own memory as the program's call
  // found it, and on this, which the call was given in registers (known_steps.h).
  void depends_on(std::uint64_t operand) {
    rt.self().foreseeable = true;
    rt.self().operand = operand;
    if (rt.current.index() == 0) note_frame_of_main();
  }

  // Of an atomic access or a fence, as the compiler hands it over. Without, it is sequentially consistent. Which one it
  // has, as others may be tried.
  int with_order(int order, bool failed = false) {
    if (rt.weak) [[unlikely]] {
      step_.op.order = weak_memory.order_at(step_.where, memory_order_of(order), failed);
      return number_of(step_.op.order);
    }
    return order;
  }

  // Would a write or an update leave what it finds, as things are? Asked for where the thread hurries through a loop.
  void leaves_all_as_it_is(bool yes) { in_vain_ = yes; }

  // It happens with its object in the state `found` (trace/object.h). False: an attempt that fails.
  bool settle(std::uint64_t found, std::uint64_t left = 0) { return trace::settle(step_.op, found, left); }

  Step& step() { return step_; }
  trace::Operation& op() { return step_.op; }

  void block_until(EnabledTest test, const void* subject) {
    Thread& self = rt.self();
    self.enabled = test;
    self.waits_for = subject;
    rt.blocking.insert(rt.current);
  }

  // Joining is what most threads wait for most of the time, so it is not asked about at every step.
  void block_until_ended(ThreadId peer) {
    Thread& self = rt.self();
    self.joins = peer;
    self.waits_for = &rt.thread[peer.index()];
    if (rt.thread[peer.index()].status != ThreadStatus::kEnded) rt.joining.insert(rt.current);
  }

  void await() {
    if (may_be_in_vain(step_.op.kind) && rt.self().hurried == 0 && !rt.self().looking_ahead) check_spinning(step_);
    if (rt.sections) [[unlikely]]
      check_operation_in_section(step_.op.kind);
    if (rt.self().hurried != 0) [[unlikely]] {
      if (rt.weak) weak_memory.settle();
      if ((silent_ = look_in_a_hurry(step_, in_vain_))) return;
    }
    if (++rt.self().steps > rt.max_steps) [[unlikely]]
      exceed_step_bound();
    rt.conductor.announce(rt.current);
    rt.pending.insert(rt.current);
    Thread& self = rt.self();
    self.status = ThreadStatus::kPending;
    reschedule();
    self.status = ThreadStatus::kLocal;
    rt.pending.erase(rt.current);
    rt.blocking.erase(rt.current);
    if (rt.weak) [[unlikely]]
      weak_memory.before(step_);
    if (rt.debugged) [[unlikely]]
      show_step_to_debugger(step_);
  }

  // Is it no step, because the thread is in a hurry?
  bool is_silent() const { return silent_; }

  // What the scheduler picked among the alternatives.
  std::uint16_t choice() const { return rt.choice; }

  void performed() {
    if (silent_) [[unlikely]] {
      leave_nothing_behind();
      rt.in_engine = false;
      return;
    }
    note_effect(step_);
    if (rt.weak) [[unlikely]]
      weak_memory.after(step_);
    rt.conductor.performed(step_);
    leave_nothing_behind();
    rt.in_engine = false;
    if (!trace::on_memory(step_.op.kind)) check_still_there(step_);
  }

 private:
  // Operations that a waiting loop begins a turn with.
  static constexpr bool may_be_in_vain(OpKind kind) {
    return kind == OpKind::kRead || kind == OpKind::kCas || kind == OpKind::kUpdate || kind == OpKind::kAcquire ||
           kind == OpKind::kTryAcquire || kind == OpKind::kSharedAcquire || kind == OpKind::kSharedTry ||
           kind == OpKind::kSemTry;
  }

  Step& step_;
  bool silent_ = false;  // no step: the thread is in a hurry
  bool in_vain_ = false;
};

// --- waiting to be woken: condition variables, barriers, futexes ---

// From now on a wake-up of `queue` reaches the current thread.
void register_waiter(const void* queue);
// The current thread waits until woken, unless it has been already. Engine flag set before and after.
void park_until_woken();
// The same, but it may also give up at any moment: a visible operation of its own. True when woken. `word`: what the
// object is, where its operations show its value.
bool park_until_woken_or_timeout(ObjectId object, std::uint32_t where, const volatile std::uint32_t* word = nullptr);
// Threads registered with a queue.
ThreadSet waiters_of(const void* queue);
void wake(ThreadId t);

// --- threads ---
// The id of the n-th child of `parent`: the same in every execution, whatever the order of creation.
ThreadId child_id(ThreadId parent, std::uint16_t ordinal);
// The id of the current thread's next child. Ids are few, so a thread that has had many children gives their ids to
// further ones, once it has joined them: all that the old child did happens before all that the new one does, as if
// they were one, so nothing that is explored changes. Which id it is depends on what the thread itself has done before.
struct NextChild {
  ThreadId id;
  bool again;  // the id is that of a child that was joined
};
NextChild next_child();
// Stack and thread-local storage for a thread, if it has none yet.
void prepare_thread(ThreadId t);
// Makes the fiber of a new thread; it runs `entry` when first switched to.
void start_thread(ThreadId t, void (*entry)(void*));
// The same for an id that is used again in this execution.
void start_thread_again(ThreadId t, void (*entry)(void*));
// The current thread has ended: whoever joins it can go on.
void mark_ended();
// The current thread's function has returned to `frame`: how far below it what it left on the stack reaches. Threads
// that still have pointers to its locals are wrong, but it is the program that must suffer, not what the runtime does
// next; it goes on below. No thread knows a local of whoever has not done an operation since, so that is to its last
// one.
inline std::size_t dead_frames_below(const void* frame) {
  constexpr std::uintptr_t kMost = 64 * 1024;  // or states would become large (checkpoint.h)
  const auto end = reinterpret_cast<std::uintptr_t>(frame);
  const auto begin = reinterpret_cast<std::uintptr_t>(rt.self().stack_pointer);
  if (begin >= end || !rt.self().stack.contains(begin)) return 0;
  return end - begin < kMost ? end - begin : kMost;
}
#define HEDDLE_KEEP_DEAD_FRAMES() \
  asm volatile("" ::"r"(__builtin_alloca(heddle::runtime::dead_frames_below(__builtin_frame_address(0)))) : "memory")
// The current thread's function has returned and everything of it is torn down.
[[noreturn]] void end_thread();

struct SpawnPlace {
  ThreadId parent = kNoThread;
  std::uint32_t ordinal = 0;
  std::uint32_t where = 0;
  char name[16] = {};
};
SpawnPlace& spawn_place(ThreadId t);

}  // namespace heddle::runtime
