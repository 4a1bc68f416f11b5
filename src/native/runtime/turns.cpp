#include "native/runtime/turns.h"

#include <string.h>

#include <algorithm>
#include <optional>

#include "base/random.h"
#include "native/runtime/assumptions.h"
#include "native/runtime/known_steps.h"
#include "native/runtime/scheduler.h"
#include "native/runtime/spinning.h"
#include "native/runtime/turn_writes.h"
#include "native/runtime/virtual_time.h"
#include "trace/turn.h"

namespace heddle::runtime {

constinit Turns turns[kMaxThreads];

namespace {

// Beside the number of a loop: nobody sees how often it has gone round (pass/counters.h), or what it carries from turn
// to turn decides about nothing but pauses (pass/pauses.h).
constexpr std::uint64_t kCounterIsPrivate = 1, kOnlyPausesDiffer = 2;

// What has been handed over for the mark that the thread comes to, and the sum of it before variables that others know.
constinit Standing gathered;
constinit std::optional<std::uint64_t> gathered_own;

void erase_if(Turns& own, auto&& goes) {
  Turns::Visit* const end = std::remove_if(own.visit, own.visit + own.visits, goes);
  own.visits = static_cast<std::uint32_t>(end - own.visit);
  if (own.visits == 0) own.forget_writes();
}

// Functions whose frames were below have returned.
void forget_below(Turns& own, std::uint64_t frame) {
  erase_if(own, [&](const Turns::Visit& v) { return v.frame < frame; });
}

bool only_looked_since(const Turns::Visit& v, std::vector<trace::Look>& looks) {
  return v.first != rt.conductor.position() && trace::changes_nothing(*rt.execution, v.first, rt.current, looks);
}

bool in_vain_since(const Turns& own, const Turns::Visit& v, std::vector<trace::Look>& looks) {
  return written_back_since(own, v) && only_looked_since(v, looks);
}

void add_visit(Turns& own, const Turns::Visit& visit) {
  const auto of_this = [&](const Turns::Visit& v) { return v.pc == visit.pc && v.frame == visit.frame; };
  Turns::Visit* const end = own.visit + own.visits;
  Turns::Visit* goes = nullptr;
  if (std::count_if(own.visit, end, of_this) >= static_cast<std::ptrdiff_t>(Turns::kVisitsOfOne)) {
    goes = std::find_if(own.visit, end, of_this);
    if (visit.turn < 2 * goes->turn) goes = std::find_if(goes + 1, end, of_this);
  } else if (own.visits == Turns::kVisits) {
    goes = own.visit;
  }
  if (goes) {
    std::move(goes + 1, end, goes);
    --own.visits;
  }
  own.visit[own.visits++] = visit;
}

// The frames of those who called the function with the loop do not change meanwhile, but through pointers.
bool add_frames_above(Standing& standing, std::uint64_t frame) {
  const Stack& stack = rt.self().stack;
  if (!stack.contains(frame) || stack.high - frame > kDeepestCallers) return false;
  for (auto p = frame & ~std::uint64_t{7}; p < stack.high; p += 8)
    standing.add(*reinterpret_cast<const std::uint64_t*>(p));
  return true;
}

// Does the turn give away a lock that it has not taken? Then the thread must not be stopped at the head.
bool gives_away_first(EventIndex first) {
  const auto& steps = rt.execution->steps;
  const auto is_own = [](const Step& step) { return step.thread == rt.current; };
  return std::any_of(steps.begin() + first, steps.end(), [&](const Step& step) {
    if (!is_own(step) || !is_release(step.op.kind)) return false;
    return std::none_of(steps.begin() + first, steps.begin() + (&step - steps.data()),
                        [&](const Step& before) { return is_own(before) && before.op.object == step.op.object; });
  });
}

bool is_one_look(EventIndex first) {
  const auto& steps = rt.execution->steps;
  const auto own = [](const Step& step) { return step.thread == rt.current; };
  return std::count_if(steps.begin() + first, steps.end(), own) == 1;
}

// The turn since `v` was in vain in every respect but the clock.
void watch_the_clock(const Turns::Visit& v, Turns::Visit& now) {
  if (is_one_look(v.first)) return hurry_by_the_clock({now.pc, v.first, now.state, /*at_mark=*/true});
  known_steps.cannot_tell();
  now.leapt = leap_in_time();
  now.before = v.first;
}

// How a turn in vain since `v` ends: the thread is stopped, or to be blocked.
void await_change(Turns& own, const Turns::Visit& v) {
  std::vector<trace::Look>& looks = looks_of_turn();
  const bool both = v.leapt && trace::changes_nothing(*rt.execution, v.before, rt.current, looks);
  const EventIndex first = both ? v.before : v.first;
  if (!rt.conductor.samples()) stop_in_loop(first);
  own.awaits = true;
  own.awaits_since = first;
}

// Has the thread stood like this before, with everything as it is now? Does not return if a turn was made in vain.
bool goes_round(Turns& own, Turns::Visit& now) {
  bool again = false;
  for (std::size_t i = own.visits; i-- > 0;) {
    const Turns::Visit& v = own.visit[i];
    if (v.pc != now.pc || v.frame != now.frame || v.state != now.state) continue;
    known_steps.cannot_tell();  // what was found on the way is no part of the state
    const bool written_back = v.first != rt.conductor.position() && written_back_since(own, v);
    again |= written_back;
    if (!in_vain_since(own, v, looks_of_turn())) {
      trace::RoundTrip* const trip =
          written_back ? trace::note_round_trip(*rt.execution, v.first, rt.current) : nullptr;
      if (trip != nullptr) trip->same_until = trip->end;  // so far
      if (trip != nullptr || gives_away_first(v.first)) learn_spin_site(now.pc);
      continue;
    }
    if (v.clock != rt.self().looks_at_clock && !v.leapt) {
      watch_the_clock(v, now);
    } else if (!rt.conductor.is_yet_to_run(rt.current)) {
      await_change(own, v);
    }
    break;
  }
  return again;
}

// A loop around the one that the thread hurries through has not been entered since.
bool still_hurries(const Turns::Visit& now) {
  if (!is_inside_hurry(now.pc, now.loop)) {
    rt.self().hurried = 0;
    return false;
  }
  return count_hurried_turn(now.pc, now.state);
}

// The thread comes again and again as it came before, and has changed something each time: perhaps it has changed it
// back.
void suspect_changes_in_passing(Turns& own, const Turns::Visit& now) {
  if (changes_in_passing_watched()) return;
  const bool same = own.changed.pc == now.pc && own.changed.state == now.state;
  own.changed = {now.pc, now.state, same ? own.changed.times + 1 : 1};
  if (own.changed.times == kFewTurns) learn_long_loop();
}

// The thread has come to the mark of a loop. Does not return if a turn was made in vain.
void come_to(Turns::Visit& now) {
  Turns& own = turns[rt.current.index()];
  Thread& self = rt.self();
  if (rt.plain_write_size != 0) enter_plain_write();
  if (self.hurried != 0 && still_hurries(now)) return;
  if (!self.spin.unchanged) {
    suspect_changes_in_passing(own, now);
    own.forget();
  }
  self.spin.unchanged = true;
  self.spin.forget();
  own.awaits = false;
  forget_below(own, now.frame);

  const bool again = goes_round(own, now);
  if (is_spin_site(now.pc)) begin_way(own, now, again);
  const auto of_this = [&](const Turns::Visit& v) { return v.pc == now.pc && v.frame == now.frame; };
  const Turns::Visit* last = nullptr;
  for (std::size_t i = own.visits; i-- > 0 && !last;)
    if (of_this(own.visit[i])) last = &own.visit[i];
  now.by = last ? now.sum - last->sum : 0;
  now.memory_by = last ? counted_in_memory(own, *last, counters_of_turn()) : kNoCounters;
  const bool counts = last && (now.by != 0 || now.memory_by != 0) && now.by == last->by &&
                      now.memory_by == last->memory_by && now.memory_by != kNoCounters &&
                      only_looked_since(*last, looks_of_turn());
  now.counted = counts ? last->counted + 1 : 0;
  now.turn = last ? last->turn + 1 : 0;
  now.first = rt.conductor.position();
  now.writes = own.writes;
  now.clock = self.looks_at_clock;
  now.blocks = self.spin.blocks;
  const EventIndex began = last ? last->first : 0;
  const bool hurries = counts && !own.awaits && self.hurried == 0 && now.counted >= kFewTurns;
  // Of what others know, of memory and of its callers' variables, it is not known that they decide about pauses only.
  const bool in_memory = now.memory_by != 0;
  const bool for_ever =
      hurries && now.never_gives_up && !in_memory && now.above == last->above && now.clock == last->clock;
  if (for_ever && now.counter_matters && rt.threads > 1) note_assumption(trace::AssumptionKind::kCountingLoops, now.pc);
  if (for_ever && !rt.conductor.is_yet_to_run(rt.current)) await_change(own, *last);
  if (hurries && !for_ever)
    begin_hurry({now.pc, began, now.state, /*at_mark=*/true, now.counter_matters || in_memory, in_memory});
  add_visit(own, now);
}

// In a function of its own, which leaves nothing in the frame of the one that the program calls.
[[gnu::noinline]] void arrive(std::uint64_t mark, const void* pc, std::uint64_t frame) {
  Standing standing = gathered;
  const std::uint64_t own = gathered_own.value_or(gathered.sum);
  gathered = {};
  gathered_own.reset();
  if (!add_frames_above(standing, frame)) return;
  EngineScope scope;
  Turns::Visit now;
  now.pc = pc;
  now.loop = mark & ~(kCounterIsPrivate | kOnlyPausesDiffer);
  now.counter_matters = (mark & kCounterIsPrivate) == 0;
  now.never_gives_up = (mark & kOnlyPausesDiffer) != 0;
  now.above = standing.sum - own;
  now.frame = frame;
  now.state = standing.hash;
  now.sum = standing.sum;
  come_to(now);
}

}  // namespace

const Turns::Visit* visit_at(const Turns& own, EventIndex first) {
  const Turns::Visit* const end = own.visit + own.visits;
  const Turns::Visit* const v = std::find_if(own.visit, end, [&](const Turns::Visit& x) { return x.first == first; });
  return v == end ? nullptr : v;
}

std::uint64_t hash_of_turns(const Turns& own) {
  std::uint64_t hash = combine(own.awaits, own.under_way);
  for (std::size_t i = 0; i < own.visits; ++i) {
    const Turns::Visit& v = own.visit[i];
    for (const std::uint64_t word :
         {reinterpret_cast<std::uint64_t>(v.pc), v.loop, v.frame, v.state, v.sum, v.by, std::uint64_t{v.counted},
          std::uint64_t{v.writes}, std::uint64_t{v.clock}, v.blocks, std::uint64_t{v.leapt}, v.memory_by})
      hash = combine(hash, word);
  }
  for (std::size_t i = 0; i < own.writes; ++i) hash = combine(hash, hash_of_write(own.write[i]));
  return hash;
}

}  // namespace heddle::runtime

using namespace heddle::runtime;

// The frame of the function that calls: the program has frame pointers.
#define FRAME_OF_CALLER() (*static_cast<const std::uint64_t*>(__builtin_frame_address(0)))

extern "C" {

void heddle_turn_value(std::uint64_t value) { gathered.add(value); }

void heddle_turn_shared() { gathered_own = gathered.sum; }

void heddle_turn_memory(const void* memory, std::size_t size) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < size; i += 8, word = 0) {
    memcpy(&word, static_cast<const char*>(memory) + i, std::min<std::size_t>(size - i, 8));
    gathered.add(word);
  }
}

void heddle_turn(std::uint64_t mark) {
  if (!controlled() || in_section()) {
    gathered = {};
    gathered_own.reset();
    return;
  }
  arrive(mark, __builtin_return_address(0), FRAME_OF_CALLER());
  leave_nothing_behind();
}

void heddle_enter_loop(std::uint64_t loop) {
  if (!controlled() || in_section()) return;
  Turns& own = turns[rt.current.index()];
  const std::uint64_t frame = FRAME_OF_CALLER();
  if (rt.self().hurried != 0) {
    EngineScope scope;
    enter_in_a_hurry(loop);
  }
  forget_below(own, frame);
  erase_if(own, [&](const Turns::Visit& v) { return v.loop == loop && v.frame == frame; });
  if (own.last_way.loop == loop && own.last_way.frame == frame) own.last_way.known = false;
}
}
