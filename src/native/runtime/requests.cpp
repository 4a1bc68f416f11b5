#include "native/runtime/requests.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "native/runtime/happens_before.h"
#include "native/runtime/isolation.h"
#include "native/runtime/kernel_state.h"
#include "native/runtime/learnt.h"
#include "native/runtime/leaving.h"
#include "native/runtime/parts.h"
#include "native/runtime/program_signals.h"
#include "native/runtime/race_detector.h"
#include "native/runtime/raw.h"
#include "native/runtime/scheduler.h"
#include "native/runtime/spinning.h"
#include "native/runtime/threads.h"
#include "native/runtime/unmodelled.h"

namespace heddle::runtime {
namespace {

constexpr std::uint8_t kCancelled = 1, kSignalled = 2;  // bits of Runtime::asked, and of a thread's

struct Box {
  static constexpr std::size_t kRoom = 28;
  std::uint32_t count = 0;  // first: that is how the state of a semaphore is read
  std::uint8_t request[kRoom] = {};
};
static_assert(sizeof(Box) == 32);
constinit Box boxes[kMaxThreads];
constinit std::uint8_t asked_for[kMaxThreads];  // bits; learnt, kept

constinit bool used = false;  // in this execution

Box& own_box() { return boxes[rt.current.index()]; }
Cancelling& own() { return rt.self().cancelling; }
bool is_asked(std::uint8_t what) { return (asked_for[rt.current.index()] & what) != 0; }
bool acts_on_cancellation(ThreadId t) {
  const Cancelling& c = rt.thread[t.index()].cancelling;
  return !c.disabled && !c.acting;
}

ObjectId object_of(ThreadId t) { return objects.at(&boxes[t.index()], sizeof(Box), protocol::ObjectKind::kRequests); }
bool has_requests(const Thread& waiting) { return static_cast<const Box*>(waiting.waits_for)->count != 0; }

void use() {
  used = true;
  touches_kernel_state();  // neither checkpoints nor known steps keep boxes
}

// The first that lies in the own box, by an operation that has had its turn.
void take(VisibleOperation& op) {
  Box& box = own_box();
  op.op().before = box.count;
  op.op().after = --box.count;
  const std::uint8_t request = box.request[0];
  memmove(box.request, box.request + 1, box.count);
  if (rt.races_checked) clocks.acquire(op.op().object);
  op.performed();
  if (request == kCancellation)
    own().requested = true;
  else
    add_pending_signal(request);
}

// True: there was one.
bool try_to_take(const void* pc) {
  VisibleOperation op(OpKind::kSemTry, object_of(rt.current), where_of(pc));
  op.await();
  if (own_box().count != 0) {
    take(op);
    return true;
  }
  op.op().kind = OpKind::kSemTryFailed;
  op.performed();
  return false;
}

// Who was interrupted cannot tell whether it was before the call or in it.
bool chooses(const void* pc, std::uint64_t what) {
  Thread& self = rt.self();
  self.looking = true;
  VisibleOperation choice(OpKind::kChoose, kNoObject, where_of(pc));
  choice.step().set = SmallSet::below(2);
  choice.op().after = what;
  choice.await();
  choice.step().choice = choice.choice();
  choice.performed();
  self.looking = false;
  self.looked = true;
  return choice.step().choice == 1;
}

}  // namespace

void ask(ThreadId whom, std::uint8_t request, const void* pc) {
  use();
  learn_asked(whom, request != kCancellation);
  VisibleOperation op(OpKind::kSemPost, object_of(whom), where_of(pc));
  op.await();
  Box& box = boxes[whom.index()];
  if (box.count == Box::kRoom)
    raw::die("more than 28 signals are sent to a thread that handles none of them; heddle keeps no more");
  op.op().before = box.count;
  box.request[box.count++] = request;
  op.op().after = box.count;
  if (rt.races_checked) clocks.release(op.op().object);
  op.performed();
}

void learn_asked(ThreadId whom, bool signal) {
  const std::uint8_t bit = signal ? kSignalled : kCancelled;
  if ((asked_for[whom.index()] & bit) != 0) return;
  asked_for[whom.index()] |= bit;
  rt.asked |= bit;
  const std::uint64_t number = whom.index() * 4 + bit;
  grow_visible_set({protocol::LearntKind::kAsked, number, 0});
  note_lesson({.asked = number});
}

void learn_asked(std::uint64_t number) {
  if (number / 4 < kMaxThreads && number % 4 != 0)
    learn_asked(ThreadId(static_cast<std::uint16_t>(number / 4)), number % 4 == kSignalled);
}

bool look_for_requests(const void* pc) {
  use();
  rt.self().looking = true;
  bool any = false;
  while (try_to_take(pc)) any = true;
  rt.self().looking = false;
  return any;
}

void look_before(OpKind kind, const void* pc) {
  Thread& self = rt.self();
  const bool looked = self.looked;
  self.looked = false;
  // In the middle of a wait nobody looks; what is decided is not decided again.
  if (!controlled() || looked || self.looking || !is_asked(kSignalled) || kind == OpKind::kWaitRelease ||
      kind == OpKind::kTimeout || self.hurried != 0 || in_section() || !receives_signals())
    return;
  const auto frame = heddle_calling_frame;
  self.looking_ahead = true;  // or the operation itself would look like another turn of a loop
  const bool any = look_for_requests(pc);
  self.looking_ahead = false;
  if (any) receive_signals(pc);
  rt.pc = pc;
  heddle_calling_frame = frame;
}

bool enter_cancellation_point(const void* pc, Interrupted rule) {
  if (!controlled() || in_section()) return false;
  Thread& self = rt.self();
  act_on_cancellation(pc);
  const bool signals = is_asked(kSignalled) && receives_signals();
  if (!signals && !(is_asked(kCancelled) && acts_on_cancellation(rt.current))) return false;
  const bool any = look_for_requests(pc);
  self.looked = true;
  self.cancellable = acts_on_cancellation(rt.current);
  if (!any) return false;
  act_on_cancellation(pc);
  const Handled handled = receive_signals(pc);
  self.looked = handled == Handled::kNothing;
  if (rule == Interrupted::kNever || handled == Handled::kNothing) return false;
  if (rule == Interrupted::kUnlessRestarted && handled == Handled::kAllRestart) return false;
  self.cancellable = false;
  return chooses(pc, 0);
}

bool chooses_to_be_asked(const void* pc, bool cancellable) {
  if (rt.asked == 0 || !controlled() || in_section()) return false;
  const bool may_be = (cancellable && is_asked(kCancelled) && acts_on_cancellation(rt.current)) ||
                      (is_asked(kSignalled) && receives_signals());
  return may_be && chooses(pc, trace::kInterruption);
}

void await_request(const void* pc, bool only_if_asked) {
  use();
  Thread& self = rt.self();
  self.looking = true;
  self.only_if_asked = only_if_asked;
  VisibleOperation op(OpKind::kSemWait, object_of(rt.current), where_of(pc));
  op.block_until(has_requests, &own_box());
  op.await();
  self.looking = self.only_if_asked = false;
  take(op);
}

void note_uninterruptible(const void* pc) {
  if (rt.asked != 0 && is_asked(kSignalled) && receives_signals())
    note_unmodelled(pc, "a signal to a thread that waits at a barrier, which is handled before or behind it");
}

void act_on_cancellation(const void* pc) {
  Cancelling& own = runtime::own();
  if (!own.requested || !acts_on_cancellation(rt.current)) return;
  own.acting = true;
  rt.self().cancellable = rt.self().looked = false;
  rt.self().result = PTHREAD_CANCELED;
  rt.self().left_at = pc;
  leave_frames();
}

bool would_be_asked(const Thread& thread, ThreadId t) {
  if (!used || (thread.status != ThreadStatus::kPending && thread.status != ThreadStatus::kParked)) return false;
  if (thread.only_if_asked) return true;
  const Box& box = boxes[t.index()];
  for (std::size_t i = 0; i < box.count; ++i) {
    const std::uint8_t request = box.request[i];
    if (request == kCancellation ? thread.cancellable && acts_on_cancellation(t) : acts_on_signal(t, request))
      return true;
  }
  return false;
}

void forget_requests_to(ThreadId t) { boxes[t.index()] = {}; }

constinit const Part requests_part = described({
    .begin =
        [] {
          if (!used) return;
          used = false;
          for (std::size_t t = 0; t < rt.known_threads; ++t) boxes[t] = {};
        },
    .not_kept = "who asks for anything uses what the kernel keeps",
});

std::size_t thread_of_box(std::uint64_t address) {
  return (address - reinterpret_cast<std::uint64_t>(boxes)) / sizeof(Box);
}

}  // namespace heddle::runtime

using namespace heddle;
using namespace heddle::runtime;

#define PC __builtin_return_address(0)

extern "C" {

int pthread_cancel(pthread_t handle) {
  const ThreadId whom = thread_of(handle);
  if (whom == kNoThread) return ESRCH;
  if (whom != rt.current) {
    ask(whom, kCancellation, PC);
    return 0;
  }
  own().requested = true;
  if (own().asynchronous) act_on_cancellation(PC);
  return 0;
}

void pthread_testcancel() {
  if (!controlled()) return;
  act_on_cancellation(PC);
  cancellation_point(PC);
  leave_cancellation_point();
}

int pthread_setcancelstate(int state, int* before) {
  if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE) return EINVAL;
  if (before) *before = own().disabled ? PTHREAD_CANCEL_DISABLE : PTHREAD_CANCEL_ENABLE;
  note_kept(own().disabled);
  own().disabled = state == PTHREAD_CANCEL_DISABLE;
  if (own().asynchronous && controlled()) act_on_cancellation(PC);
  return 0;
}

int pthread_setcanceltype(int type, int* before) {
  if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS) return EINVAL;
  if (before) *before = own().asynchronous ? PTHREAD_CANCEL_ASYNCHRONOUS : PTHREAD_CANCEL_DEFERRED;
  note_kept(own().asynchronous);
  own().asynchronous = type == PTHREAD_CANCEL_ASYNCHRONOUS;
  if (!own().asynchronous || !controlled()) return 0;
  if (is_asked(kCancelled))
    note_unmodelled(PC, "asynchronous cancellation, which is acted upon at cancellation points only");
  act_on_cancellation(PC);
  return 0;
}
}
