// Visible operations as they happen, and whom they enable, disable, wake or start.
#include <algorithm>

#include "model/interpreter.h"
#include "trace/compare_exchange.h"
#include "trace/object.h"

namespace heddle::model {

using trace::OpKind;
using trace::Step;

void Interpreter::perform(const trace::Decision& d) {
  const ThreadId t = d.thread;
  Thread& th = thread(t);
  const Instruction& i = code_.instructions[th.pc];
  std::int32_t* r = th.registers + th.window;
  Step step = conductor_.pending(t);
  step.choice = d.choice;
  ThreadSet woken;
  enabled_.erase(t);
  switch (step.op.kind) {
    case OpKind::kRead:
    case OpKind::kWrite:
    case OpKind::kUpdate:
    case OpKind::kCas:
      if (options_.weak_memory)
        perform_weakly(i, r, step);
      else
        perform_memory(t, i, r, step);
      break;
    case OpKind::kAcquire:
    case OpKind::kRelease:
    case OpKind::kWaitRelease:
    case OpKind::kTryAcquire:
      perform_lock(t, i, r, step);
      break;
    case OpKind::kWait:
    case OpKind::kSignal:
    case OpKind::kBroadcast:
      woken = perform_cond(t, i, step);
      break;
    case OpKind::kSpawn: {
      const ThreadId child = step.op.peer;
      ++th.spawned;
      start(child, static_cast<std::uint32_t>(i.value));
      for (std::uint16_t k = 0; k < i.c; ++k) thread(child).registers[k] = r[i.a + k];
      r[i.a] = child.value;
      if (symbolic_) {
        symbolic::TermId* const tm = th.terms + th.window;
        std::copy_n(tm + i.a, i.c, thread(child).terms);
        tm[i.a] = symbolic::kNoTerm;
      }
      woken.insert(child);
      break;
    }
    case OpKind::kJoin:
      joiners_[step.op.peer.index()].erase(t);
      break;
    case OpKind::kChoose:
      r[i.a] = d.choice;
      if (i.op == Op::kSpurious) th.spurious += d.choice;
      if (symbolic_) th.terms[th.window + i.a] = symbolic::kNoTerm;
      break;
    case OpKind::kFence:
      if (i.op == Op::kFence) break;
      th.fenced = true;  // the operation itself is next
      conductor_.performed(step);
      ++th.steps;
      return advance(t);
    case OpKind::kBranch:
    case OpKind::kAssume:
      return perform_branch(t, i, step);
    default:
      INVARIANT(!"an operation that no instruction announces");
  }
  if (symbolic_) {
    note_path(step);
    note_written_term(step);
  }
  conductor_.performed(step);
  if (!awaiting_.empty()) go_on_after_changes();
  if (th.reads_table) read_table(t, i);
  ++th.steps;
  th.fenced = false;
  th.stage = th.reads_table ? 1 : 0;
  if (!th.reads_table) ++th.pc;
  advance(t);
  woken.for_each_thread([&](ThreadId w) { advance(w); });
}

void Interpreter::perform_memory(ThreadId t, const Instruction& i, std::int32_t* r, Step& step) {
  if (symbolic_) {
    move_terms(thread(t), i, step.op.object);
    const symbolic::TermId term = value_terms_[step.op.object.index()];
    step.set = term == symbolic::kNoTerm ? SmallSet() : SmallSet::word(term.value);
  }
  std::int32_t& cell = values_[step.op.object.index()];
  step.op.before = step.op.after = bits(cell);
  switch (i.op) {
    case Op::kLoad:
      r[i.a] = cell;
      return;
    case Op::kStore:
      cell = r[i.a];
      break;
    case Op::kFetchAdd: {
      const std::int32_t found = cell;
      cell = apply(Operator::kAdd, found, r[i.c]);
      r[i.a] = found;
      break;
    }
    case Op::kExchange: {
      const std::int32_t found = cell;
      cell = r[i.c];
      r[i.a] = found;
      break;
    }
    case Op::kCas:
      if (settle_exchange(i, r, step, cell)) cell = static_cast<std::int32_t>(step.op.after);
      return;
    default:
      INVARIANT(!"not a memory operation");
  }
  step.op.after = bits(cell);
}

// The result may be kept where the operands were.
bool Interpreter::settle_exchange(const Instruction& i, std::int32_t* r, Step& step, std::int32_t found) {
  step.op.after = bits(r[i.c]);  // what is expected
  const bool swapped = trace::settle(step.op, bits(found), bits(r[i.value]));
  if (!swapped) {
    if (options_.weak_memory) trace::set_other_order(step, i.order);
    step.op.order = i.failure;
  }
  r[i.a] = swapped;
  return swapped;
}

// What a step finds in its object if it reads the store that its choice says. (Of a schedule that somebody has written,
// the oldest one.)
std::int32_t Interpreter::state_read(Step& step) const {
  const std::vector<std::int32_t>& stores = stores_[step.op.object.index()];
  if (step.choice >= stores.size()) step.choice = static_cast<std::uint16_t>(stores.size() - 1);
  return stores[stores.size() - 1 - step.choice];
}

// The same where the schedule says which store is read, counted from the newest, and where among the stores a new one
// has its place. What is at the end is the value of the cell.
void Interpreter::perform_weakly(const Instruction& i, std::int32_t* r, Step& step) {
  std::vector<std::int32_t>& stores = stores_[step.op.object.index()];
  if (i.op == Op::kCas) trace::set_other_order(step, i.failure);
  const std::int32_t found = state_read(step);
  const auto place = stores.end() - step.choice;
  std::int32_t left = found;
  step.op.before = step.op.after = bits(found);
  switch (i.op) {
    case Op::kLoad:
      r[i.a] = found;
      return;
    case Op::kStore:
      left = r[i.a];
      break;
    case Op::kFetchAdd:
      left = apply(Operator::kAdd, found, r[i.c]);
      r[i.a] = found;
      break;
    case Op::kExchange:
      left = r[i.c];
      r[i.a] = found;
      break;
    case Op::kCas:
      if (!settle_exchange(i, r, step, found)) return;
      left = static_cast<std::int32_t>(step.op.after);
      break;
    default:
      INVARIANT(!"not a memory operation");
  }
  step.op.after = bits(left);
  stores.insert(place, left);
  values_[step.op.object.index()] = stores.back();
}

void Interpreter::perform_lock(ThreadId t, const Instruction& i, std::int32_t* r, Step& step) {
  std::int32_t& owner = values_[step.op.object.index()];
  ThreadSet& contenders = contenders_[code_.slots[step.op.object.index()]];
  const bool tries = step.op.kind == OpKind::kTryAcquire;
  const std::int32_t found = tries && options_.weak_memory ? state_read(step) : owner;
  const bool done = trace::settle(step.op, found == kNoOwner ? trace::kLockFree : trace::kHeldExclusively);
  if (tries) {
    r[i.a] = done;
    if (symbolic_) thread(t).terms[thread(t).window + i.a] = symbolic::kNoTerm;
    if (!done) return;
  }
  if (trace::gives_lock(step.op.kind)) {
    owner = kNoOwner;
    if (options_.weak_memory) stores_[step.op.object.index()].push_back(owner);
    enabled_ = enabled_ | (contenders - awaiting_);
    return;
  }
  if (!tries) contenders.erase(t);
  owner = t.value;
  if (options_.weak_memory) stores_[step.op.object.index()].push_back(owner);
  enabled_ = enabled_ - contenders;
}

// Gives back the parked threads that the step woke. A waiter that has not parked yet goes on by itself.
ThreadSet Interpreter::perform_cond(ThreadId t, const Instruction& i, Step& step) {
  const std::uint32_t cond = code_.slots[step.op.object.index()];
  ThreadSet& waiters = waiters_[cond];
  ThreadSet woken;
  if (i.op != Op::kWait) {
    notifiers_[cond].erase(t);
    step.set = waiters;
    woken = woken_by(step);
  }
  waiters = trace::queue_after(step, waiters);
  refresh_notifiers(cond);
  ThreadSet parked;
  woken.for_each_thread([&](ThreadId w) {
    if (thread(w).state == State::kParked) parked.insert(w);
  });
  return parked;
}

void Interpreter::refresh_notifiers(std::uint32_t cond) {
  notifiers_[cond].for_each_thread([&](ThreadId t) { conductor_.pending(t).set = waiters_[cond]; });
}

}  // namespace heddle::model
