#include "native/runtime/spinning.h"

#include <string.h>
#include <unwind.h>

#include "base/random.h"
#include "native/runtime/isolation.h"
#include "native/runtime/known_steps.h"
#include "native/runtime/object_state.h"
#include "native/runtime/race_detector.h"
#include "native/runtime/scheduler.h"
#include "native/runtime/shadow.h"

extern "C" {
constinit heddle::native::CallingFrame heddle_calling_frame = {};
}

// All that a function may overwrite without being asked: r11, rax and the vector registers.
asm(R"(
.text
.p2align 4
.globl heddle_clear_below
.hidden heddle_clear_below
.type heddle_clear_below, @function
heddle_clear_below:
  .cfi_startproc
  pxor %xmm0, %xmm0
  leaq -1024(%rsp), %rax
  andq $-16, %rax
0:
  movaps %xmm0, (%rax)
  movaps %xmm0, 16(%rax)
  movaps %xmm0, 32(%rax)
  movaps %xmm0, 48(%rax)
  addq $64, %rax
  leaq 64(%rax), %r11
  cmpq %rsp, %r11
  jbe 0b
  ret
  .cfi_endproc
.size heddle_clear_below, .-heddle_clear_below
)");

namespace heddle::native {

constinit bool spinning_suspected = false;

namespace {

// Stacks deeper than this are not compared: no spin loop, and hashing would cost.
constexpr std::size_t kDeepest = 16 * 1024;

_Unwind_Reason_Code find_calling_frame(_Unwind_Context* context, void* argument) {
  if (reinterpret_cast<const void*>(_Unwind_GetIP(context)) != rt.pc) return _URC_NO_REASON;
  constexpr int kept[] = {3, 6, 12, 13, 14, 15};  // rbx, rbp, r12 .. r15
  auto& frame = *static_cast<CallingFrame*>(argument);
  frame.stack_pointer = _Unwind_GetCFA(context);
  for (std::size_t i = 0; i < 6; ++i) frame.registers[i] = _Unwind_GetGR(context, kept[i]);
  return _URC_END_OF_STACK;
}

// A call site calls one entry, so a frame of this site is of an entry that notes; and it is of this call if it is on
// this stack: the thread's later calls would have noted theirs, and the rest of an entry before check_spinning calls
// nobody.
CallingFrame calling_frame() {
  if (heddle_calling_frame.pc == rt.pc && rt.self().stack.contains(heddle_calling_frame.stack_pointer))
    return heddle_calling_frame;
  CallingFrame frame{};
  _Unwind_Backtrace(find_calling_frame, &frame);
  return frame;
}

}  // namespace

std::uint64_t local_state() {
  const CallingFrame frame = calling_frame();
  const Stack& stack = rt.self().stack;
  if (!stack.contains(frame.stack_pointer) || stack.high - frame.stack_pointer > kDeepest) return 0;
  std::uint64_t hash = 1;
  const auto add = [&](std::uint64_t word) { hash = (hash ^ word) * 0x9e3779b97f4a7c15ull + (hash >> 29); };
  for (std::uint64_t r : frame.registers) add(r);
  for (auto p = frame.stack_pointer & ~std::uint64_t{7}; p < stack.high; p += 8)
    add(*reinterpret_cast<const std::uint64_t*>(p));
  return hash | 1;
}

// How far the program's frame is from the one here depends on the place of the call only; the return address between
// them shows whether it is so. Otherwise it is found by unwinding.
void note_frame_of_main() {
  if (!known_steps.on()) return;
  struct Distance {
    const void* pc;
    std::uintptr_t bytes;
  };
  static constinit Distance distances[64] = {};
  Thread& self = rt.self();
  if (heddle_calling_frame.pc == rt.pc && self.stack.contains(heddle_calling_frame.stack_pointer)) {
    self.frame = heddle_calling_frame.stack_pointer;
    return;
  }
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  Distance& distance = distances[(reinterpret_cast<std::uintptr_t>(rt.pc) >> 2) % std::size(distances)];
  const auto returns_to = [](std::uintptr_t frame) { return *reinterpret_cast<const void* const*>(frame - 8); };
  if (distance.pc != rt.pc || !self.stack.contains(here + distance.bytes) || returns_to(here + distance.bytes) != rt.pc)
    distance = {rt.pc, calling_frame().stack_pointer - here};
  self.frame = self.stack.contains(here + distance.bytes) ? here + distance.bytes : 0;
}

namespace {

// Places where loops were seen to spin; kept. There the local state is compared from the first turn on, elsewhere
// only from the second, as it costs more than most operations. So learning one changes what is explored.
constexpr std::size_t kSites = 1024;
const void* sites[kSites];

std::size_t site_slot(const void* pc) {
  std::size_t i = (reinterpret_cast<std::uintptr_t>(pc) >> 1) % kSites;
  while (sites[i] != nullptr && sites[i] != pc) i = (i + 1) % kSites;
  return i;
}

bool is_site(const void* pc) { return sites[site_slot(pc)] == pc; }

}  // namespace

void suspect_spinning() {
  if (spinning_suspected) return;
  spinning_suspected = true;
  visible_set_grown = true;   // what this search has seen so far it would see otherwise now
  note_lesson({.spins = true});
}

void learn_spin_site(const void* pc) {
  suspect_spinning();
  static std::size_t known = 0;
  const std::size_t slot = site_slot(pc);
  if (sites[slot] == pc || known == kSites / 2) return;
  sites[slot] = pc;
  ++known;
  grow_visible_set({LearntKind::kSpinSite, reinterpret_cast<std::uintptr_t>(pc), 0});
  note_lesson({.spin_site = pc});
}

void check_spinning(const Step& step) {
  Spin& spin = rt.self().spin;
  if (!spin.unchanged) {
    spin.unchanged = true;   // and all but what was read, which `reads` says
    spin.others = spin.patience = spin.reads = 0;
    spin.where = step.where;
    spin.state = is_site(rt.pc) ? local_state() : 0;
    return;
  }
  if (step.where != spin.where) {
    // The remembered operation is not on the loop: try another, patiently.
    if (++spin.others > spin.patience) {
      spin.where = step.where;
      spin.state = is_site(rt.pc) ? local_state() : 0;
      spin.others = 0;
      spin.patience = static_cast<std::uint16_t>(spin.patience * 2 + 1);
      spin.reads = 0;
    }
    return;
  }
  spin.others = 0;
  suspect_spinning();
  const std::uint64_t state = local_state();
  if (state != 0 && state == spin.state && spin.reads > 0 && spin.reads < Spin::kMostReads) {
    known_steps.cannot_tell();
    if (!rt.conductor.is_yet_to_run(rt.current)) {
      learn_spin_site(rt.pc);
      stop_thread(Stopped::kSpinning);
    }
  }
  spin.state = state;
  spin.reads = 0;
}

void exceed_step_bound() {
  constexpr std::uint64_t kMoment = 100;
  known_steps.cannot_tell();
  Thread& self = rt.self();
  if (others_can_run() || self.steps > rt.max_steps + kMoment) stop_thread(Stopped::kCut);
  if (self.steps == rt.max_steps + 1) {
    self.bound_pc = rt.pc;
    self.bound_state = local_state();
  } else if (rt.pc == self.bound_pc && self.bound_state != 0 && local_state() == self.bound_state) {
    self.spin.where = where_of(rt.pc);
    stop_thread(Stopped::kEndless);
  }
}

void note_effect(const Step& step) {
  Spin& spin = rt.self().spin;
  if (!spin.unchanged) return;
  switch (step.op.kind) {
    case OpKind::kRead:
    case OpKind::kCasFailed:
    case OpKind::kTryFailed:
    case OpKind::kSemTryFailed:
    case OpKind::kSleepRefused:
      break;
    case OpKind::kUpdate:
      if (step.op.before == step.op.after) break;
      [[fallthrough]];
    default:
      spin.unchanged = false;
      return;
  }
  if (spin.reads < Spin::kMostReads) spin.read[spin.reads] = {step.op.object, step.op.before};
  if (spin.reads < Spin::kMostReads) ++spin.reads;
}

bool spins_for_ever(const Thread& thread) {
  for (std::size_t i = 0; i < thread.spin.reads; ++i) {
    const Object& object = objects[thread.spin.read[i].object];
    if (state_of(object) != thread.spin.read[i].value) return false;
  }
  return true;
}

}  // namespace heddle::native
