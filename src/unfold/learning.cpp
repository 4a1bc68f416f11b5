// What the unfolding learns from an execution: its steps are played in the unfolding (Marking), each stands for an
// event, and an event that is covered for the first time makes others possible (Kähkönen 2015 Fig. 3.11, lines 7 to
// 16).
#include <algorithm>

#include "trace/idle_joins.h"
#include "trace/turn.h"
#include "unfold/outcomes.h"
#include "unfold/unfolding_strategy.h"

namespace heddle::unfold {

namespace {

// A livelock is a deadlock to whoever looks for one.
bool stuck(const Execution& execution) {
  return execution.outcome == Outcome::kDeadlock ||
         (execution.outcome == Outcome::kFailed && judge_waits(execution) == Waits::kForEver);
}

}  // namespace

void UnfoldingStrategy::learn(const Execution& execution) {
  ++(aim_ == Aim::kCover ? statistics_.executions : statistics_.confirmations);
  marking_.reset();
  fired_.clear();
  events_.clear();
  previous_.clear();
  if (options_.idle_joins)
    find_idle_joins(execution, true, idle_from_);
  else
    idle_from_.assign(execution.threads, kNotIdle);
  for (std::size_t i = 0; i < execution.steps.size(); ++i) {
    const Step& step = execution.steps[i];
    events_.push_back(learn_step(step, i));
    previous_.push_back({step.thread, step.choice});
  }
  learn_end(execution);
  note_counted(execution);
  if (global_) global_->learn(execution, events_);
  if (stuck(execution)) note_deadlock(execution);
  const bool exited = !fired_.empty() && u_[fired_.back()].kind == OpKind::kTerminate;
  if (exited && execution.unwanted.empty()) note_exit(execution);
  if (aimed_deadlock_ != 0 && !deadlocks_seen_.contains(aimed_deadlock_)) ++statistics_.unconfirmed;
  if (target_ != kNone && !u_[target_].covered) ++statistics_.missed_targets;
}

EventId UnfoldingStrategy::learn_step(const Step& step, std::size_t position) {
  if (!marking_.started(step.thread)) marking_.start(step.thread);
  const ConditionId c = marking_.condition(step.thread, step.op.kind);
  if (position == idle_from_[step.thread.index()]) u_[c].status = Status::kIdle;
  if (u_[c].status == Status::kIdle) {
    if (step.op.kind != OpKind::kJoin) ++statistics_.unforeseen;
    return kNone;
  }
  if (step.op.object != kNoObject) note_initial_state(step);
  if (u_[c].status != Status::kPending || more_outcomes(c, step)) reveal(c, step, true);
  const EventId e = corresponding_event(c, step);
  if (!u_[e].covered) cover(e, step);
  fired_.push_back(e);
  marking_.fire(e);
  return e;
}

// The first to use an object as the program found it tells what state that is.
void UnfoldingStrategy::note_initial_state(const Step& step) {
  const EventId source = marking_.source(step.op.object);
  if (u_[source].thread != kNoThread) return;
  const std::size_t object = step.op.object.index();
  if (object >= initial_known_.size()) initial_known_.resize(object + 1, false);
  if (initial_known_[object]) return;
  initial_known_[object] = true;
  u_[source].state = step.op.before;
  extensions_.from_state(source);
}

namespace {

// All outcomes of a branch or an assumption; if it has not been run, those that every branch has.
SmallSet outcomes_of(const Step& step, bool decided) {
  if (step.op.kind == OpKind::kAssume) return SmallSet::of(1);
  return SmallSet::below(decided ? static_cast<std::size_t>(step.op.after) : 2);
}

}  // namespace

// A branch that was only announced so far, when the process ended, may have more outcomes than that showed.
bool UnfoldingStrategy::more_outcomes(ConditionId c, const Step& step) const {
  if (step.op.kind != OpKind::kBranch) return false;
  const auto known = u_.alternatives.find(c.value);
  return known == u_.alternatives.end() || !(outcomes_of(step, true) - known->second).empty();
}

// The execution shows what the thread does next in `c`; `decided`: and how it turned out there.
void UnfoldingStrategy::reveal(ConditionId c, const Step& step, bool decided) {
  Condition& condition = u_[c];
  if (condition.status != Status::kUnknown && !u_.branch_values.contains(c.value)) ++statistics_.unforeseen;
  condition.status = Status::kPending;
  condition.kind = undecided(step.op.kind);
  condition.object = step.op.object;
  condition.peer = step.op.peer;
  condition.where = step.where;
  if (only_tries(step.op)) u_.tries.insert(c.value);
  if (compares(condition.kind))  // had it done so, it found what it expected
    u_.expected[c.value] = decided && step.op.kind == condition.kind ? step.op.before : step.op.after;
  if (has_alternatives(step.op.kind) && step.op.object == kNoObject) {
    u_.alternatives[c.value] = step.set;
    if (step.op.kind == OpKind::kBranch || step.op.kind == OpKind::kAssume) {
      // The step's set is what inputs allow along this execution; along others it may be more.
      u_.branch_values[c.value] = step.op.before;
      u_.alternatives[c.value] = step.set | outcomes_of(step, decided);
    }
  }
  extensions_.from_condition(c, step.op.object == kNoObject ? kNone : marking_.source(step.op.object));
}

EventId UnfoldingStrategy::corresponding_event(ConditionId c, const Step& step) {
  if (step.op.kind == OpKind::kJoin) {
    const ConditionId ended = marking_.condition(step.op.peer);
    if (u_[ended].status != Status::kEnded && u_[ended].status != Status::kIdle) {
      u_[ended].status = Status::kEnded;
      extensions_.from_end(ended);
    }
    if (const EventId e = u_.find(u_.key(c, u_.join_part(ended), 0)); e != kNone) return e;
    ++statistics_.unforeseen;
    return extensions_.enter_join(c, ended);
  }
  const std::uint16_t choice = has_alternatives(step.op.kind) ? step.choice : std::uint16_t{0};
  const std::uint64_t key = marking_.key(c, step.op.kind, step.op.object, choice);
  if (const EventId e = u_.find(key); e != kNone) return e;
  // An assumption may fail where it was possible when first met. Everything else is foreseen, unless the program does
  // what its operations do not tell.
  if (step.op.kind != OpKind::kAssume) ++statistics_.unforeseen;
  return enter_unforeseen(c, step, choice);
}

EventId UnfoldingStrategy::enter_unforeseen(ConditionId c, const Step& step, std::uint16_t choice) {
  PastBuffer buffer;
  const Past past = u_.past(c, buffer);
  PastBuffer joint(past.begin(), past.end());
  if (step.op.object == kNoObject) return extensions_.enter(c, kNone, step.op.kind, choice, 0, joint);
  const EventId source = marking_.source(step.op.object);
  join_past(joint, u_.past(source));
  const bool by_reads = access_of(step.op.kind) == Access::kWrites && u_.orders(step.op.kind);
  if (by_reads)
    for (const EventId e : fired_)
      if (u_[e].source == source && !u_[e].writes()) join_past(joint, u_.past(e));
  return extensions_.enter(c, source, step.op.kind, choice, by_reads ? marking_.reads(step.op.object) : 0, joint);
}

namespace {

// Does its thread wait to be woken after this, without an operation of its own? That is a local state even if somebody
// wakes it at once: in another execution nobody may.
bool parks(const Step& step) {
  const bool waits = step.op.kind == OpKind::kWaitRelease || step.op.kind == OpKind::kSleep;
  return (waits && step.op.after != kTimedWait) || waits_at_barrier(step);
}

}  // namespace

void UnfoldingStrategy::cover(EventId e, const Step& step) {
  u_[e].kind = step.op.kind;
  u_.cover(e);
  if (step.op.kind == OpKind::kTerminate) u_[e].state = step.op.after;
  if (u_[e].source == kNone) return;
  if (u_[e].writes()) {
    u_[e].state = state_after(step.op.kind, step.op.before, step.op.after);
    note_set(u_, e, step);
    extensions_.from_write(e);
    if (parks(step)) u_[u_.condition(step.thread, e, kNone)].status = Status::kParked;
    note_waking(e, step.op.after == kTimedWait);
  } else {
    extensions_.from_read(e);
  }
}

// A waiter that has released its mutex and been woken is in a state that no event of its own leads to: there is one for
// each release that goes with a registration and each event that ends the wait, and, if the waiter may give up, one
// for the release alone. What comes next is known without an execution: the mutex again, or giving up.
void UnfoldingStrategy::note_waking(EventId e, bool timed) {
  if (u_[e].kind == OpKind::kWaitRelease) {
    Wakings& wait = waits_[u_[e].previous.value];
    wait.releases.push_back(e);
    if (timed) reveal_woken(e, kNone);
    for (const EventId waker : wait.wakers) reveal_woken(e, waker);
    return;
  }
  if (u_[e].kind == OpKind::kSleep && timed) reveal_woken(e, kNone);
  if (!on_queue(u_[e].kind)) return;
  woken(u_, e).for_each([&](std::size_t t) {
    // Its last event that the waker knows of: the registration, or the release after it.
    EventId registered(last_in(u_.past(e), t));
    if (registered != kNone && u_[registered].kind == OpKind::kWaitRelease) registered = u_[registered].previous;
    Wakings& wait = waits_[registered.value];
    wait.wakers.push_back(e);
    for (const EventId release : wait.releases) reveal_woken(release, e);
  });
}

void UnfoldingStrategy::reveal_woken(EventId release, EventId waker) {
  if (waker != kNone && !co_.compatible(u_.past(release), u_.past(waker))) return;
  const EventId registered = u_[release].kind == OpKind::kSleep ? release : u_[release].previous;
  const ConditionId c = u_.condition(u_[release].thread, release, waker);
  Condition& condition = u_[c];
  if (condition.status != Status::kUnknown) return;
  condition.status = Status::kPending;
  condition.kind = waker == kNone ? OpKind::kTimeout : OpKind::kAcquire;
  EventId source = waker == kNone ? registered : release;
  condition.object = u_[source].object;
  condition.where = u_[u_[registered].from].where;
  // The last write of the object in the past of the condition: writes of one past are ordered, and ids with them.
  PastBuffer buffer;
  for (const std::uint32_t last : u_.past(c, buffer)) {
    EventId e(last);
    while (e > source && !(u_[e].object == condition.object && u_[e].writes())) e = u_[e].previous;
    source = std::max(source, e);
  }
  extensions_.from_condition(c, source);
}

void UnfoldingStrategy::learn_end(const Execution& execution) {
  for (const Pending& p : execution.pending) {
    const ThreadId t = p.step.thread;
    if (!marking_.started(t)) marking_.start(t);
    const ConditionId c = marking_.condition(t, p.step.op.kind);
    if (u_[c].status == Status::kUnknown) reveal(c, p.step, false);
  }
  for (const IdleTurn& turn : execution.idle_turns) note_await(execution, turn);
  ThreadSet stopped = execution.stopped;
  for (const Failure& f : execution.failures)
    if (f.thread != kNoThread && f.kind != FailureKind::kDataRace) stopped.insert(f.thread);
  for (std::size_t i = 0; i < execution.threads; ++i) {
    const ThreadId t(static_cast<std::uint16_t>(i));
    if (!marking_.started(t)) {
      if (u_.spawned.contains(t)) continue;  // not in this execution
      marking_.start(t);                     // without operations, and there from the start
    }
    const ConditionId c = marking_.condition(t);
    if (u_[c].status != Status::kUnknown) continue;
    if (execution.unwanted.contains(t))
      u_[c].status = Status::kUnwanted;
    else
      note_status(c, stopped.contains(t));
  }
}

void UnfoldingStrategy::note_counted(const Execution& execution) {
  for (const EventId e : fired_) {
    if (u_[e].counted) continue;
    if (!execution.unwanted.empty()) {
      void_.push_back(e);
      continue;
    }
    u_[e].counted = true;
    ++statistics_.events;
  }
}

// The events of a turn in vain, the thread's last ones. (None of its steps is idle, as it has not ended.)
void UnfoldingStrategy::note_await(const Execution& execution, const IdleTurn& turn) {
  const ConditionId c = marking_.condition(turn.thread);
  if (u_[c].status != Status::kUnknown) return;
  u_[c].status = Status::kAwaiting;
  EventId e = u_[c].last;
  for (EventIndex i = turn.first; i < execution.steps.size(); ++i) {
    if (execution.steps[i].thread != turn.thread) continue;
    u_.turns[c.value].push_back(e);
    e = u_[e].previous;
  }
}

// A thread that has no operation left.
void UnfoldingStrategy::note_status(ConditionId c, bool stopped) {
  Condition& condition = u_[c];
  const EventId last = condition.last;
  if (stopped || (last != kNone && u_[last].kind == OpKind::kTerminate)) {
    condition.status = Status::kStopped;
  } else {
    condition.status = Status::kEnded;
    extensions_.from_end(c);
  }
}

void UnfoldingStrategy::note_deadlock(const Execution& execution) {
  std::vector<ConditionId> blocked;
  for (std::size_t i = 0; i < execution.threads; ++i) {
    const ThreadId t(static_cast<std::uint16_t>(i));
    if (!marking_.started(t)) continue;
    const ConditionId c = marking_.condition(t);
    const Status status = u_[c].status;
    if (status == Status::kPending || status == Status::kParked || status == Status::kAwaiting) blocked.push_back(c);
  }
  if (!deadlocks_seen_.insert(deadlock_signature(blocked)).second) return;
  ++statistics_.deadlocks;
  if (!deadlocks_) blocked_seen_.push_back(std::move(blocked));
}

// That a thread does nothing but join from some condition on is known only when an execution has shown its end. In
// deadlocks seen before, it stood blocked in a condition that is none.
void UnfoldingStrategy::sign_deadlocks_again() {
  const auto idle = [&](ConditionId c) {
    while (u_[c].status != Status::kIdle) {
      if (u_[c].last == kNone) return false;
      c = u_[u_[c].last].from;
    }
    return true;
  };
  for (std::vector<ConditionId>& blocked : blocked_seen_) {
    std::erase_if(blocked, idle);
    deadlocks_seen_.insert(deadlock_signature(blocked));
  }
  blocked_seen_.clear();
}

// Who was at work when the process ended.
void UnfoldingStrategy::note_exit(const Execution& execution) {
  const EventId exit = fired_.back();
  exits_seen_.insert(lost_work_key(exit, kNoCondition));
  for (const Pending& p : execution.pending)
    if (gives_to_others(p.step.op.kind))
      exits_seen_.insert(lost_work_key(exit, marking_.condition(p.step.thread, p.step.op.kind)));
  for (const Failure& f : execution.failures)
    if (f.kind == FailureKind::kExitWithThreads) exits_reported_.insert(u_[u_[exit].from].where);
}

}  // namespace heddle::unfold
