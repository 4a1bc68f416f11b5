// What the net learns from an execution.
#include "base/assert.h"
#include "net/program_net.h"
#include "trace/dependence.h"
#include "trace/idle_joins.h"
#include "trace/object.h"
#include "trace/turn.h"

namespace heddle::net {

using namespace trace;

namespace {

// All outcomes of a branch; if it has not been run, those that every branch has. An assumption has one that counts. (It
// fails where inputs leave no other outcome, which does not depend on its thread alone.)
ChoiceSet outcomes_of(const Step& step, bool decided) {
  if (step.op.kind == OpKind::kAssume) return ChoiceSet::of(1);
  return step.set | ChoiceSet::below(decided ? static_cast<std::size_t>(step.op.after) : 2);
}

bool is_branch(OpKind kind) { return kind == OpKind::kBranch || kind == OpKind::kAssume; }

// Of the value that a step left in memory, if it depends on inputs.
std::uint64_t term_of(const Step& step) { return on_memory(step.op.kind) ? step.set.word_at(0) : 0; }

}  // namespace

void ProgramNet::learn(const Execution& execution) {
  run_.clear();
  marking_->clear();
  starting_.for_each_thread([&](ThreadId t) { marking_->set(t, root(t)); });
  if (options_.idle_joins)
    find_idle_joins(execution, false, idle_from_);
  else
    idle_from_.assign(execution.threads, kNotIdle);
  for (std::size_t i = 0; i < execution.steps.size(); ++i) learn_step(execution.steps[i], i);
  learn_end(execution);
}

void ProgramNet::learn_step(const Step& step, std::size_t position) {
  const ThreadId t = step.thread;
  if (marking_->local(t) == kNoLocal) {  // it is there from the start
    starting_.insert(t);
    marking_->set(t, root(t));
  }
  const LocalId p = marking_->local(t);
  if (position == idle_from_[t.index()]) locals_[p.index()].status = Status::kIdle;
  if (locals_[p.index()].status == Status::kIdle) {
    if (step.op.kind != OpKind::kJoin) ++unforeseen_;
    return;
  }
  const ValueId found = marking_->value(*this, step.op.object);
  if (found != kNoValue && !values_[found.index()].known) note_initial(found, step.op.before, step.op.kind);
  reveal(p, step, true);
  if (step.op.kind == OpKind::kJoin) {
    run_.push_back(join(p, marking_->local(step.op.peer)));
  } else {
    if (outcome(p, found) != step.op.kind) {
      ++unforeseen_;
      if (!outcome(p, found)) return;
    }
    run_.push_back(this->step(p, found, has_alternatives(step.op.kind) ? step.choice : std::uint16_t{0}));
  }
  admit(run_.back());
  note_effect(run_.back(), step);
  locals_[p.index()].next = transitions_[run_.back().index()].to;
  marking_->fire(*this, run_.back());
}

// The first to use an object as the program found it tells what state that is.
void ProgramNet::note_initial(ValueId at, std::uint64_t state, OpKind kind) {
  Value& v = values_[at.index()];
  if (v.writer != kNoLocal) return;
  v.state = state;
  v.known = true;
  if (is_on_counted(kind))
    counted_.emplace(combine(v.object.value, state), at);
  else if (options_.values)
    by_value_.emplace(combine(combine(v.object.value, state), 0), at);
}

// The execution shows what the thread does next in `p`; `decided`: and how it turned out there.
void ProgramNet::reveal(LocalId p, const Step& step, bool decided) {
  if (locals_[p.index()].base != kNoLocal) reveal(locals_[p.index()].base, step, decided);
  LocalState& state = locals_[p.index()];
  const OpKind kind = undecided(step.op.kind);
  if (kind == OpKind::kSleep) waits_on_words_ = true;
  if (state.status != Status::kUnknown) {
    const bool same = state.status == Status::kPending && state.kind == kind && state.object == step.op.object &&
                      state.peer == step.op.peer;
    if (!same) ++unforeseen_;
    if (same && is_branch(kind)) alternatives_[p.value] = alternatives_[p.value] | outcomes_of(step, decided);
    if (same) state.where = step.where;
    if (same || state.status != Status::kPending) return;
  }
  state.status = Status::kPending;
  state.kind = kind;
  state.object = step.op.object;
  state.peer = step.op.peer;
  state.where = step.where;
  if (compares(kind))  // had it done so, it found what it expected
    state.expected = decided && step.op.kind == kind ? step.op.before : step.op.after;
  if (is_branch(kind)) state.expected = step.op.before;
  if (has_alternatives(kind) && kind != OpKind::kSignal)
    alternatives_[p.value] = is_branch(kind) ? outcomes_of(step, decided) : step.set;
}

// The place of the value that a write has left: another's, if that was the same.
void ProgramNet::merge_value(LocalId to, const Step& step) {
  ValueId& wrote = locals_[to.index()].wrote;
  const std::uint64_t term = term_of(step);
  const std::uint64_t state = term == 0 ? state_after(step.op.kind, step.op.before, step.op.after) : 0;
  const auto [place, added] = by_value_.emplace(combine(combine(step.op.object.value, state), term), wrote);
  if (added || place->second == wrote) return;
  values_[wrote.index()].merged = true;
  wrote = place->second;
}

void ProgramNet::note_effect(StepId id, const Step& step) {
  const Transition& t = transitions_[id.index()];
  if (options_.orders_matter && t.kind == OpKind::kWrite) orders_seen_.insert(order_key(t));
  LocalState& to = locals_[t.to.index()];
  if (t.leaves != t.takes && !values_[t.leaves.index()].known) {
    values_[t.leaves.index()].state = state_after(step.op.kind, step.op.before, step.op.after);
    values_[t.leaves.index()].known = true;
    values_[t.leaves.index()].term = static_cast<std::uint32_t>(term_of(step));
    ThreadSet waiting = waiters(t.takes);
    if (step.op.kind == OpKind::kWait)
      waiting.insert(step.thread);
    else if (step.op.kind == OpKind::kTimeout)
      waiting.erase(step.thread);
    else if (step.op.kind == OpKind::kSignal)
      waiting.erase(step.choice);
    else if (step.op.kind == OpKind::kBroadcast)
      waiting = {};
    if (!waiting.empty()) waiters_[t.leaves.value] = waiting;
    if (options_.values && on_memory(step.op.kind)) merge_value(t.to, step);
  }
  if (is_arrival(step.op.kind) && !step.set.empty()) opened_[t.to.value] = step.set;
  if (to.status != Status::kUnknown) return;
  if (step.op.kind == OpKind::kWaitRelease && step.op.after == kTimedWait) {
    const LocalState& registering = locals_[locals_[t.from.index()].parent.index()];
    to.status = Status::kPending;
    to.kind = OpKind::kTimeout;
    to.object = registering.object;
    to.where = registering.where;
  } else if (step.op.kind == OpKind::kWaitRelease || waits_at_barrier(step)) {
    to.status = Status::kParked;
  } else if (step.op.kind == OpKind::kTerminate) {
    to.status = Status::kStopped;
  }
}

void ProgramNet::stand(LocalId p, std::uint32_t where) {
  locals_[p.index()].where = where;
  locals_[p.index()].stands = true;
}

void ProgramNet::learn_end(const Execution& execution) {
  for (const Pending& p : execution.pending) {
    const ThreadId t = p.step.thread;
    if (marking_->local(t) == kNoLocal) {
      starting_.insert(t);
      marking_->set(t, root(t));
    }
    const LocalId local = marking_->local(t);
    if (locals_[local.index()].status == Status::kIdle) continue;
    reveal(local, p.step, false);
    const ValueId found = marking_->value(*this, p.step.op.object);
    const bool waits = blocks(p.step.op.kind) && found != kNoValue && !p.enabled;
    if (waits && !values_[found.index()].known) {
      const bool counts = p.step.op.kind != OpKind::kAcquire && p.step.op.kind != OpKind::kSharedAcquire;
      note_initial(found, counts ? 0 : kHeldExclusively, p.step.op.kind);
    }
  }
  for (const IdleTurn& turn : execution.idle_turns) {
    const LocalId p = marking_->local(turn.thread);
    if (p == kNoLocal || locals_[p.index()].status != Status::kUnknown) continue;
    locals_[p.index()].status = Status::kAwaiting;
    // A turn in vain has left it where the turn began.
    for (EventIndex i = turn.first; i < execution.steps.size() && !locals_[p.index()].stands; ++i)
      if (execution.steps[i].thread == turn.thread) stand(p, execution.steps[i].where);
  }
  ThreadSet stopped = execution.stopped;
  for (const Failure& f : execution.failures)
    if (f.thread != kNoThread && f.kind != FailureKind::kDataRace) stopped.insert(f.thread);
  for (std::size_t i = 0; i < execution.threads; ++i) {
    const ThreadId t(static_cast<std::uint16_t>(i));
    const LocalId p = marking_->local(t);
    if (p == kNoLocal || locals_[p.index()].status != Status::kUnknown) continue;
    if (execution.unwanted.contains(t))
      locals_[p.index()].status = Status::kUnwanted;
    else
      locals_[p.index()].status = stopped.contains(t) ? Status::kStopped : Status::kEnded;
  }
  for (const Failure& f : execution.failures) {
    const LocalId p = f.thread == kNoThread ? kNoLocal : marking_->local(f.thread);
    if (p != kNoLocal && locals_[p.index()].status == Status::kStopped && !locals_[p.index()].stands) stand(p, f.where);
  }
}

}  // namespace heddle::net
