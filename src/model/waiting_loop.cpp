// Loops that wait (trace/turn.h). The compiler marks where a loop begins a turn and which registers are alive there, so
// the first turn that changes nothing is recognised as one.
//
// A turn that only looks and counts - for (i = 0; i < 10000; i = i + 1) if (x == 1) break; - is the same wait with an
// end: the thread either finds what it looks for or gives up. Ten thousand turns between which others come in tell no
// more than a few, so after two of them the thread hurries on to where it gives up, without steps. What is left out is
// at which of the later turns it finds what it looks for, and so what the counter is then: the verdict says so. Where
// only a few turns are left, it goes back and does not hurry.
#include <algorithm>

#include "model/interpreter.h"
#include "trace/object.h"

namespace heddle::model {

using trace::Look;

// The thread comes to a kTurn; false: it awaits something.
bool Interpreter::begin_turn(ThreadId t, const Instruction& i) {
  Thread& th = thread(t);
  if (th.rushed != 0) return hurry_on(t);
  const auto is_this = [&](const Turn& turn) { return turn.depth == th.depth && turn.pc == th.pc; };
  const auto known = std::find_if(th.turns.rbegin(), th.turns.rend(), is_this);
  if (known == th.turns.rend()) {
    th.turns.push_back({.pc = th.pc, .depth = th.depth});
    remember_turn(th, i.a);
    ++th.pc;
    return true;
  }
  th.turns.erase(known.base(), th.turns.end());  // loops inside this one
  Turn& turn = th.turns.back();
  const std::uint32_t changed = changed_register(th, turn);
  std::vector<Look> looks;
  const bool idle = changed != kSeveral && trace::changes_nothing(*execution_, turn.first, t, looks);
  if (!idle && changed == kNoCounter) trace::note_round_trip(*execution_, turn.first, t);
  const bool in_vain = idle && changed == kNoCounter && !conductor_.is_yet_to_run(t);
  if (in_vain && !conductor_.samples()) {
    await(t, turn.first);
    return false;
  }
  if (in_vain) {
    th.awaits = std::move(looks);
    th.awaits_since = turn.first;
    if (finds_the_same(th)) awaiting_.insert(t);  // otherwise somebody has changed it before the turn was over
    remember_turn(th, i.a);
    ++th.pc;
    return true;
  }
  const bool counts = idle && changed != kNoCounter;
  const std::int32_t by = counts ? th.registers[th.window + changed] - turn.registers[changed] : 0;
  const bool again = counts && turn.counter == changed && turn.by == by && same_finds(turn.looks, looks);
  turn.counter = counts ? changed : kNoCounter;
  turn.by = by;
  turn.looks = std::move(looks);
  const EventIndex last = turn.first;
  remember_turn(th, i.a);
  if (again && !turn.few) {
    th.rushed = 1;
    turn.first = last;  // of the last turn that had steps
  }
  ++th.pc;
  return true;
}

void Interpreter::remember_turn(Thread& th, std::uint32_t live) {
  Turn& turn = th.turns.back();
  turn.first = conductor_.position();
  turn.inputs = th.inputs;
  const std::int32_t* const r = th.registers + th.window;
  turn.registers.assign(r, r + live);
  if (symbolic_) turn.terms.assign(th.terms + th.window, th.terms + th.window + live);
}

// Since the turn began.
std::uint32_t Interpreter::changed_register(const Thread& th, const Turn& turn) const {
  if (th.inputs != turn.inputs) return kSeveral;
  std::uint32_t changed = kNoCounter;
  for (std::uint32_t x = 0; x < turn.registers.size(); ++x) {
    if (symbolic_ && th.terms[th.window + x] != turn.terms[x]) return kSeveral;
    if (th.registers[th.window + x] == turn.registers[x]) continue;
    if (changed != kNoCounter) return kSeveral;
    changed = x;
  }
  return changed;
}

// A turn of the loop that the thread hurries through, or of another one. Nobody gets in its way, so a loop that does
// not come to an end now never does by counting.
bool Interpreter::hurry_on(ThreadId t) {
  Thread& th = thread(t);
  const Turn& turn = th.turns.back();
  const bool same = turn.pc == th.pc && turn.depth == th.depth && changed_register(th, turn) == turn.counter;
  if (!same) {
    end_hurry(th);
    return true;
  }
  ++th.pc;
  if (++th.rushed <= kMostTurns) return true;
  await(t, turn.first);
  return false;
}

// Does an operation that finds what it found in the turn before, if it is one.
bool Interpreter::look_in_a_hurry(Thread& th, const Instruction& i, std::int32_t* r) {
  if (i.op != Op::kLoad && i.op != Op::kCas && i.op != Op::kTryLock) return false;
  // Behind the loop? What is before its code cannot be reached from it without coming to another loop's turn.
  if (th.pc >= static_cast<std::uint32_t>(code_.instructions[th.turns.back().pc].value)) return false;
  const ObjectId object(static_cast<std::uint32_t>(r[i.b]));
  const std::vector<Look>& looks = th.turns.back().looks;
  const auto finds_the_same = [&](const Look& x) { return x.object == object && x.found == state_of(object); };
  if (std::none_of(looks.begin(), looks.end(), finds_the_same)) return false;
  if (symbolic_ && value_terms_[object.index()] != symbolic::kNoTerm) return false;
  const std::int32_t value = values_[object.index()];
  if (i.op == Op::kCas && value == r[i.c]) return false;
  r[i.a] = i.op == Op::kLoad ? value : 0;
  if (symbolic_) th.terms[th.window + i.a] = symbolic::kNoTerm;
  return true;
}

// The thread has left the loop, or does what it cannot do in a hurry.
void Interpreter::end_hurry(Thread& th) {
  Turn& turn = th.turns.back();
  const bool few = th.rushed <= kFewTurns;
  th.rushed = 0;
  if (!few) return options_.hurried->add(code_.places[turn.pc] + 1);
  turn.few = true;
  turn.first = conductor_.position();
  th.pc = turn.pc + 1;
  th.depth = turn.depth;
  std::copy(turn.registers.begin(), turn.registers.end(), th.registers + th.window);
  if (symbolic_) std::copy(turn.terms.begin(), turn.terms.end(), th.terms + th.window);
}

bool Interpreter::finds_the_same(const Thread& th) const {
  return std::all_of(th.awaits.begin(), th.awaits.end(), [&](const Look& x) { return state_of(x.object) == x.found; });
}

// After a write: threads that are blocked in waiting loops may find it.
void Interpreter::go_on_after_changes() {
  awaiting_.for_each_thread([&](ThreadId t) {
    if (finds_the_same(thread(t))) return;
    awaiting_.erase(t);
    const trace::Operation& next = conductor_.pending(t).op;
    if (next.object == kNoObject || enabled_at(next.kind, state_of(next.object), next.after)) enabled_.insert(t);
  });
}

void Interpreter::await(ThreadId t, EventIndex first) {
  stop(t);
  execution_->idle_turns.push_back({t, first});
}

// Does a thread await something that might have given up one day?
bool Interpreter::anybody_counts() const {
  return std::any_of(execution_->idle_turns.begin(), execution_->idle_turns.end(),
                     [&](const trace::IdleTurn& turn) { return thread(turn.thread).rushed != 0; });
}

void Interpreter::report_livelocks() {
  for (const trace::IdleTurn& turn : execution_->idle_turns)
    execution_->failures.push_back({trace::FailureKind::kLivelock, conductor_.position(), turn.thread,
                                    where(thread(turn.thread)),
                                    "a thread waits in a loop for a change that nobody makes"});
}

}  // namespace heddle::model
