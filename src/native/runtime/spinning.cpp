#include "native/runtime/spinning.h"

#include <string.h>
#include <unwind.h>

#include <algorithm>

#include "base/random.h"
#include "native/runtime/assumptions.h"
#include "native/runtime/isolation.h"
#include "native/runtime/known_steps.h"
#include "native/runtime/learnt.h"
#include "native/runtime/object_state.h"
#include "native/runtime/program_signals.h"
#include "native/runtime/race_detector.h"
#include "native/runtime/scheduler.h"
#include "native/runtime/turn_writes.h"
#include "native/runtime/turns.h"
#include "native/runtime/unmodelled.h"
#include "native/runtime/unseen_libraries.h"
#include "trace/turn.h"

extern "C" {
constinit heddle::runtime::CallingFrame heddle_calling_frame = {};
constinit bool heddle_spinning_suspected = false;
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

namespace heddle::runtime {

namespace {

constexpr Standing kNotKnown{.hash = 0};

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

namespace {

Standing take_local_state() {
  const CallingFrame frame = calling_frame();
  const Stack& stack = rt.self().stack;
  if (!stack.contains(frame.stack_pointer) || stack.high - frame.stack_pointer > kDeepest) return kNotKnown;
  Standing state;
  for (std::uint64_t r : frame.registers) state.add(r);
  for (auto p = frame.stack_pointer & ~std::uint64_t{7}; p < stack.high; p += 8)
    state.add(*reinterpret_cast<const std::uint64_t*>(p));
  state.hash |= 1;
  return state;
}

}  // namespace

std::uint64_t local_state() { return take_local_state().hash; }

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

}  // namespace

bool is_spin_site(const void* pc) { return sites[site_slot(pc)] == pc; }

void suspect_spinning() {
  if (heddle_spinning_suspected) return;
  heddle_spinning_suspected = true;
  rt.visible_set_grown = true;  // what this search has seen so far it would see otherwise now
  note_lesson({.spins = true});
}

void learn_spin_site(const void* pc) {
  suspect_spinning();
  static std::size_t known = 0;
  const std::size_t slot = site_slot(pc);
  if (sites[slot] == pc || known == kSites / 2) return;
  sites[slot] = pc;
  ++known;
  grow_visible_set({protocol::LearntKind::kSpinSite, reinterpret_cast<std::uintptr_t>(pc), 0});
  note_lesson({.spin_site = pc});
}

namespace {
constinit bool long_loop_seen = false;
}

bool changes_in_passing_watched() { return long_loop_seen; }

void learn_long_loop() {
  if (long_loop_seen) return;
  long_loop_seen = true;
  grow_visible_set({protocol::LearntKind::kLongLoop, 0, 0});
  note_lesson({.long_loop = true});
}

namespace {

// Turns that write to plain memory at every operation, and write back later, are seen by the marks of loops only. So
// often is enough to listen to these.
constexpr std::uint8_t kBegunAnew = 64;
// One that has not given up after so many never does, as far as we know.
constexpr std::uint32_t kMostTurns = 100'000;
// Where that has been seen once, it takes fewer the next time: `for (k = 0; !try_lock(); ++k) back_off(k)` waits often.
constexpr std::uint32_t kMostTurnsOfEndless = 1'000;
constinit const void* endless[16] = {};
constinit std::size_t endless_known = 0;

bool is_endless(const void* place) {
  return std::find(endless, endless + endless_known, place) != endless + endless_known;
}
void learn_endless(const void* place) {
  if (!is_endless(place) && endless_known < std::size(endless)) endless[endless_known++] = place;
}

// ... and if it is the clock that it counts by, more time has passed by then than any deadline allows.
constexpr std::uint32_t kMostTurnsByTheClock = 60;

// The loop that is hurried through: from when that begins until it ends nobody else runs, so there is one at a time.
struct Hurry {
  Hurrying how;
  bool by_the_clock = false;
  std::uint32_t clock = 0;  // how often it had looked at the clock
  std::vector<trace::Look> looks;
  std::vector<std::uint32_t> places;   // where these are
  std::vector<Counter> counters;       // in memory
  std::vector<std::uint64_t> entered;  // other loops, since
};
constinit Hurry hurry;

}  // namespace

std::vector<trace::Look>& looks_of_turn() { return hurry.looks; }
std::vector<Counter>& counters_of_turn() { return hurry.counters; }

namespace {

// Where the thread is: the pieces of a copy are one call, and no turns of a loop; nor are a look at a flag and the lock
// taken because of it (pthread_once).
const void* place(const Step& step) {
  return reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(rt.pc) ^
                                       static_cast<std::uintptr_t>(rt.self().spin.piece) << 48 ^
                                       static_cast<std::uintptr_t>(step.op.kind) << 56);
}

Spin::Visit& add_visit(Spin& spin, const Standing& state, const Step& step) {
  Spin::Visit& visit = spin.visit[spin.oldest];
  visit = {place(step), state.hash, state.sum, 0, 0, rt.conductor.position(), rt.self().looks_at_clock};
  spin.oldest = static_cast<std::uint8_t>((spin.oldest + 1) % Spin::kVisits);
  if (spin.visits < Spin::kVisits) ++spin.visits;
  return visit;
}

// The latest visit to where the thread is now.
const Spin::Visit* last_visit(const Spin& spin, const Step& step) {
  for (std::size_t back = 1; back <= spin.visits; ++back) {
    const Spin::Visit& v = spin.visit[(spin.oldest + Spin::kVisits - back) % Spin::kVisits];
    if (v.pc == place(step)) return &v;
  }
  return nullptr;
}

bool idle_since(const Spin::Visit& visit, std::vector<trace::Look>& looks) {
  return trace::changes_nothing(*rt.execution, visit.first, rt.current, looks);
}

}  // namespace

// Where it looked first.
void stop_in_loop(EventIndex first) {
  known_steps.cannot_tell();
  const auto& steps = rt.execution->steps;
  const auto look =
      std::find_if(steps.begin() + first, steps.end(), [](const Step& s) { return s.thread == rt.current; });
  rt.self().spin.where = look->where;
  if (waits_for_timer()) {
    note_unmodelled(reinterpret_cast<const void*>(first_address(look->where)),
                    "a loop that may wait for a timer (alarm, setitimer), which never runs out here");
    stop_thread(Stopped::kCut);
  }
  rt.execution->idle_turns.push_back({rt.current, first});
  stop_thread(Stopped::kSpinning);
}

namespace {

// By thread: what it waits for when it is blocked instead of stopped.
struct Awaited {
  EventIndex first = 0;
  std::vector<trace::Look> looks;
};
constinit Awaited awaited[kMaxThreads];

bool finds_a_change(const Thread& thread) {
  const std::vector<trace::Look>& looks = awaited[&thread - rt.thread].looks;
  return std::any_of(looks.begin(), looks.end(),
                     [](const trace::Look& look) { return state_of(objects[look.object]) != look.found; });
}

void block_in_loop(EventIndex first, const Step& step) {
  if (trace::blocks(step.op.kind)) return;  // it is, or is not, by its object
  Thread& self = rt.self();
  awaited[rt.current.index()] = {first, hurry.looks};
  self.spin.where = step.where;
  self.enabled = finds_a_change;
  rt.blocking.insert(rt.current);
}

// Has the thread gone round in vain since one of its visits? Does not return then, or has blocked it.
void stop_if_idle(const Spin& spin, const Standing& state, const Step& step) {
  for (std::size_t back = 1; back <= spin.visits; ++back) {
    const Spin::Visit& v = spin.visit[(spin.oldest + Spin::kVisits - back) % Spin::kVisits];
    if (v.pc != place(step) || v.state != state.hash || v.first == rt.conductor.position()) continue;
    if (v.clock != rt.self().looks_at_clock) continue;  // it may have a deadline
    known_steps.cannot_tell();                          // what was found on the way is no part of the state
    if (!idle_since(v, hurry.looks)) {
      trace::RoundTrip* const trip = trace::note_round_trip(*rt.execution, v.first, rt.current);
      if (trip != nullptr) trip->same_until = trip->end;  // what it reads from now on is not known
      continue;
    }
    if (rt.conductor.is_yet_to_run(rt.current)) return;
    if (rt.conductor.samples()) return block_in_loop(v.first, step);
    const EventIndex first = v.first;
    // All operations of the turn, so that from now on the first turn is seen to be one wherever the loop is entered.
    for (std::size_t i = 0; i < spin.visits; ++i)
      if (spin.visit[i].first >= first) learn_spin_site(spin.visit[i].pc);
    stop_in_loop(first);
  }
}

}  // namespace

void begin_hurry(const Hurrying& how) {
  known_steps.cannot_tell();
  hurry.how = how;
  hurry.by_the_clock = false;
  hurry.clock = rt.self().looks_at_clock;
  hurry.places.clear();
  hurry.entered.clear();
  if (!how.in_memory) hurry.counters.clear();
  const auto& steps = rt.execution->steps;
  for (EventIndex i = how.first; i < steps.size(); ++i)
    if (steps[i].thread == rt.current) hurry.places.push_back(steps[i].where);
  rt.self().hurried = 1;
}

void hurry_by_the_clock(const Hurrying& how) {
  begin_hurry(how);
  hurry.by_the_clock = true;
}

void enter_in_a_hurry(std::uint64_t loop) {
  if (std::find(hurry.entered.begin(), hurry.entered.end(), loop) == hurry.entered.end()) hurry.entered.push_back(loop);
}

bool is_inside_hurry(const void* mark, std::uint64_t loop) {
  return mark == hurry.how.pc || std::find(hurry.entered.begin(), hurry.entered.end(), loop) != hurry.entered.end();
}

namespace {

// Since the last turn that had steps.
bool writes_something_else() {
  const Turns& own = turns[rt.current.index()];
  const Spin& spin = rt.self().spin;
  if (!hurry.how.at_mark) return spin.visits == 0 || !written_back(spin);
  const Turns::Visit* const began = visit_at(own, hurry.how.first);
  return began == nullptr || !written_back_but_for(hurry.counters, own, *began);
}

}  // namespace

bool count_hurried_turn(const void* place, std::uint64_t state) {
  Thread& self = rt.self();
  if (place != hurry.how.pc) return true;
  if (writes_something_else()) {
    self.hurried = 0;
    return false;
  }
  ++self.hurried;
  const bool same = state != 0 && state == hurry.how.state && hurry.counters.empty();
  if (hurry.by_the_clock) {
    if (self.hurried <= kMostTurnsByTheClock) return true;
    self.hurried = 0;
    if (same) stop_in_loop(hurry.how.first);
    return false;
  }
  // A counter that begins again.
  if (same && self.looks_at_clock == hurry.clock) {
    self.hurried = 0;
    stop_in_loop(hurry.how.first);
  }
  if (self.hurried > (is_endless(place) ? kMostTurnsOfEndless : kMostTurns)) {
    learn_endless(place);
    stop_in_loop(hurry.how.first);
  }
  return true;
}

// A turn of a marked loop that was made in vain by a thread that is not to be stopped (turns.h).
static bool blocks_after_turn(const Step& step) {
  Turns& own = turns[rt.current.index()];
  if (!rt.self().spin.unchanged) own.forget();
  if (own.under_way && (step.op.kind == OpKind::kAcquire || step.op.kind == OpKind::kSharedAcquire)) end_way(own, step);
  if (!own.awaits) return false;
  own.awaits = false;
  if (!trace::changes_nothing(*rt.execution, own.awaits_since, rt.current, hurry.looks)) return false;
  block_in_loop(own.awaits_since, step);
  return true;
}

void check_spinning(const Step& step) {
  if (rt.plain_write_size != 0) [[unlikely]]
    enter_plain_write();
  Spin& spin = rt.self().spin;
  if (is_unseen_code(rt.pc)) [[unlikely]] {
    spin.unchanged = false;
    return;
  }
  if (heddle_spinning_suspected && blocks_after_turn(step)) return;
  if (!spin.unchanged || spin.allocated || !written_back(spin)) {
    const bool same_blocks = spin.blocks == spin.blocks_before;
    spin.blocks_before = spin.blocks;
    spin.allocated = false;
    if (spin.unchanged && same_blocks && !heddle_spinning_suspected && rt.threads > 1 &&
        ++spin.began_anew == kBegunAnew)
      suspect_spinning();
    spin.unchanged = true;
    spin.forget();
  }
  const Spin::Visit* const last = last_visit(spin, step);
  if (!last) {
    add_visit(spin, is_spin_site(place(step)) ? take_local_state() : kNotKnown, step);
    return;
  }
  suspect_spinning();
  const Standing state = take_local_state();
  if (state.hash == 0) return;
  stop_if_idle(spin, state, step);
  const bool counts =
      last->state != 0 && last->by != 0 && state.sum - last->sum == last->by && idle_since(*last, hurry.looks);
  const Spin::Visit before = *last;
  Spin::Visit& now = add_visit(spin, state, step);
  now.by = before.state != 0 ? state.sum - before.sum : 0;
  now.counted = counts ? before.counted + 1 : 0;
  if (counts && now.counted >= kFewTurns) begin_hurry({.pc = place(step), .first = before.first});
}

bool look_in_a_hurry(const Step& step, bool change_in_vain) {
  const OpKind kind = step.op.kind;
  if (step.op.object == kNoObject) {  // a choice
    rt.self().hurried = 0;
    return false;
  }
  const std::optional<std::uint64_t> found = state_of(objects[step.op.object]);
  const auto finds_the_same = [&](const trace::Look& look) {
    return look.object == step.op.object && found && look.found == *found;
  };
  const bool of_the_loop = std::find(hurry.places.begin(), hurry.places.end(), step.where) != hurry.places.end() &&
                           std::any_of(hurry.looks.begin(), hurry.looks.end(), finds_the_same);
  const auto in_vain = [&] {
    if (kind == OpKind::kRead) return true;
    if (kind == OpKind::kUpdate || kind == OpKind::kWrite) return change_in_vain;
    return trace::is_attempt(kind) && kind != OpKind::kSleep && trace::outcome_at(kind, *found, step.op.after) != kind;
  };
  if (!of_the_loop || !in_vain()) {
    rt.self().hurried = 0;
    return false;
  }
  if (!count_hurried_turn(place(step), 0)) return false;
  if (hurry.how.counter_matters && !hurry.by_the_clock && rt.threads > 1)
    note_assumption(trace::AssumptionKind::kCountingLoops, rt.pc);
  return true;
}

void note_blocked_in_loops() {
  (rt.blocking & rt.pending).for_each_thread([](ThreadId t) {
    if (rt.thread[t.index()].enabled == finds_a_change)
      rt.execution->idle_turns.push_back({t, awaited[t.index()].first});
  });
}

void exceed_step_bound() {
  constexpr std::uint64_t kAlone = 100;
  Thread& self = rt.self();
  // What one execution has shown, another does not cut.
  if (rt.conductor.is_yet_to_run(rt.current)) return;
  bool alone = true;
  for (std::size_t t = 0; t < rt.threads && alone; ++t) {
    const ThreadStatus status = rt.thread[t].status;
    alone = t == rt.current.index() || status == ThreadStatus::kAbsent || status == ThreadStatus::kEnded ||
            status == ThreadStatus::kFailed;
  }
  if (alone && self.steps <= kAlone * rt.max_steps) return;
  known_steps.cannot_tell();
  learn_long_loop();
  stop_thread(Stopped::kCut);
}

void note_effect(const Step& step) {
  const bool only_gives = is_release(step.op.kind) || step.op.kind == OpKind::kSignal ||
                          step.op.kind == OpKind::kBroadcast || step.op.kind == OpKind::kSemPost ||
                          step.op.kind == OpKind::kSend;
  if (heddle_unseen_libraries && !only_gives) [[unlikely]]
    go_on_in_unseen_library(reinterpret_cast<const void*>(first_address(step.where)));
  Spin& spin = rt.self().spin;
  if (!spin.unchanged) return;
  if (rt.ways_watched) follow_way(turns[rt.current.index()]);
  // A plain write has not happened yet; what it changes is looked at when the turn is over.
  const trace::Effect effect = trace::effect_of(step);
  const bool sets = effect == trace::Effect::kTransient && trace::on_memory(step.op.kind);
  if (effect == trace::Effect::kLasting || (sets && !long_loop_seen)) spin.unchanged = false;
}

}  // namespace heddle::runtime
