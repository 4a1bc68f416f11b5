#include "unfold/unfolding_strategy.h"

#include <algorithm>

#include "base/assert.h"
#include "unfold/outcomes.h"

namespace heddle::unfold {

UnfoldingStrategy::UnfoldingStrategy(const UnfoldingOptions& options)
    : options_(options), u_(options.variant), co_(u_), extensions_(u_, co_, targets_), marking_(u_) {}

bool UnfoldingStrategy::next(Schedule& schedule) {
  schedule.steps.clear();
  schedule.sleep.clear();
  schedule.tail = {};
  schedule.fresh = 0;
  target_ = kNone;
  aimed_deadlock_ = 0;
  if (!begun_) {
    begun_ = true;
    return true;
  }
  return next_target(schedule) || next_deadlock(schedule);
}

bool UnfoldingStrategy::next_target(Schedule& schedule) {
  while (!targets_.empty()) {
    const EventId target = targets_.back();
    targets_.pop_back();
    if (u_[target].covered) continue;
    PastBuffer joint(u_.past(target).begin(), u_.past(target).end());
    if (!feasible(joint)) {
      ++statistics_.infeasible;
      continue;
    }
    if (options_.several_targets) add_targets(joint);
    const bool possible = co_.linearize(joint, order_);
    INVARIANT(possible);
    target_ = target;
    write_schedule(order_, schedule);
    return true;
  }
  return false;
}

// Joins the pasts of as many of the latest targets as fit. They stay targets until an execution has run them.
void UnfoldingStrategy::add_targets(PastBuffer& joint) {
  constexpr int kLooks = 32;
  constexpr int kQuestions = 4;   // to a solver
  PastBuffer tried;
  int looks = 0, questions = 0;
  co_.fix(joint);
  for (std::size_t i = targets_.size(); i-- > 0 && looks < kLooks;) {
    const EventId e = targets_[i];
    if (u_[e].covered) {
      targets_.erase(targets_.begin() + static_cast<std::ptrdiff_t>(i));
      continue;
    }
    ++looks;
    if (!co_.fits(u_.past(e))) continue;
    tried = joint;
    join_past(tried, u_.past(e));
    if (!u_.branch_values.empty() && (++questions > kQuestions || !feasible(tried))) continue;
    joint.swap(tried);
    co_.fix(joint);
  }
}

// Do inputs exist that lead through all branches of a past?
bool UnfoldingStrategy::feasible(Past past) {
  if (options_.feasibility == nullptr || u_.branch_values.empty()) return true;
  branches_.clear();
  for (const std::uint32_t last : past) {
    for (EventId e(last); e != kNone; e = u_[e].previous) {
      const auto value = u_.branch_values.find(u_[e].from.value);
      if (value == u_.branch_values.end()) continue;
      Step& step = branches_.emplace_back();
      step.thread = u_[e].thread;
      step.op.kind = u_[e].kind;
      step.op.before = value->second;
      step.choice = u_[e].choice;
    }
  }
  if (branches_.empty()) return true;
  std::vector<const Step*> steps;
  for (const Step& step : branches_) steps.push_back(&step);
  return options_.feasibility->feasible(steps);
}

bool UnfoldingStrategy::next_deadlock(Schedule& schedule) {
  if (!options_.deadlocks) return false;
  if (!deadlocks_) deadlocks_ = std::make_unique<DeadlockSearch>(u_, co_, deadlocks_seen_,
                                                               [this](Past past) { return feasible(past); });
  while (const Deadlock* deadlock = deadlocks_->next()) {
    if (deadlocks_seen_.contains(deadlock->signature)) continue;
    if (!co_.linearize(deadlock->past, order_)) continue;
    aimed_deadlock_ = deadlock->signature;
    write_schedule(order_, schedule);
    return true;
  }
  return false;
}

void UnfoldingStrategy::write_schedule(const std::vector<EventId>& order, Schedule& schedule) {
  for (const EventId e : order)
    schedule.steps.push_back({u_[e].thread, has_alternatives(u_[e].kind) ? u_[e].choice : std::uint16_t{0}});
  const std::size_t n = std::min(schedule.steps.size(), previous_.size());
  while (schedule.fresh < n && schedule.steps[schedule.fresh] == previous_[schedule.fresh]) ++schedule.fresh;
}

void UnfoldingStrategy::learn(const Execution& execution) {
  ++(aimed_deadlock_ == 0 ? statistics_.executions : statistics_.confirmations);
  marking_.reset();
  previous_.clear();
  for (const Step& step : execution.steps) {
    learn_step(step);
    previous_.push_back({step.thread, step.choice});
  }
  learn_end(execution);
  if (execution.outcome == Outcome::kDeadlock) note_deadlock(execution);
  if (aimed_deadlock_ != 0 && !deadlocks_seen_.contains(aimed_deadlock_)) ++statistics_.unconfirmed;
  if (target_ != kNone && !u_[target_].covered) ++statistics_.missed_targets;
}

void UnfoldingStrategy::learn_step(const Step& step) {
  if (!marking_.started(step.thread)) marking_.start(step.thread);
  const ConditionId c = marking_.condition(step.thread, step.op.kind);
  if (step.op.object != kNoObject) note_initial_state(step);
  if (u_[c].status == Status::kUnknown) reveal(c, step);
  const EventId e = corresponding_event(c, step);
  if (!u_[e].covered) cover(e, step);
  marking_.fire(e);
}

// The first to use an object as the program found it tells what state that is.
void UnfoldingStrategy::note_initial_state(const Step& step) {
  const EventId source = marking_.source(step.op.object);
  if (u_[source].thread != kNoThread) return;
  const std::size_t object = step.op.object.index();
  if (object >= initial_known_.size()) initial_known_.resize(object + 1, false);
  if (initial_known_[object]) return;
  initial_known_[object] = true;
  const bool by_sets = on_condition_variable(step.op.kind) || step.op.kind == OpKind::kArrive;
  u_[source].state = by_sets ? 0 : step.op.before;
  extensions_.from_state(source);
}

// The execution shows what the thread does next in `c`.
void UnfoldingStrategy::reveal(ConditionId c, const Step& step) {
  Condition& condition = u_[c];
  condition.status = Status::kPending;
  condition.kind = undecided(step.op.kind);
  condition.object = step.op.object;
  condition.peer = step.op.peer;
  condition.where = step.where;
  if (step.op.kind == OpKind::kCas) u_.expected[c.value] = step.op.before;
  if (step.op.kind == OpKind::kCasFailed) u_.expected[c.value] = step.op.after;
  if (has_alternatives(step.op.kind) && step.op.object == kNoObject) {
    u_.alternatives[c.value] = step.set;
    if (step.op.kind == OpKind::kBranch || step.op.kind == OpKind::kAssume) {
      // The step's set is what inputs allow along this execution; along others it may be more.
      u_.branch_values[c.value] = step.op.before;
      u_.alternatives[c.value] = step.set | (step.op.kind == OpKind::kBranch ? Bits128::below(2) : Bits128::of(1));
    }
  }
  extensions_.from_condition(c, step.op.object == kNoObject ? kNone : marking_.source(step.op.object));
}

EventId UnfoldingStrategy::corresponding_event(ConditionId c, const Step& step) {
  if (step.op.kind == OpKind::kJoin) {
    const ConditionId ended = marking_.condition(step.op.peer);
    if (u_[ended].status != Status::kEnded) {
      u_[ended].status = Status::kEnded;
      extensions_.from_end(ended);
    }
    const EventId e = u_.find(u_.key(c, u_.join_part(ended), 0));
    INVARIANT(e != kNone);
    return e;
  }
  const std::uint16_t choice = has_alternatives(step.op.kind) ? step.choice : std::uint16_t{0};
  const std::uint64_t key = marking_.key(c, step.op.kind, step.op.object, choice);
  if (const EventId e = u_.find(key); e != kNone) return e;
  // Everything else is foreseen; a branch may turn out in ways that were not possible where it was first met.
  INVARIANT(u_.branch_values.contains(c.value));
  PastBuffer buffer;
  const Past past = u_.past(c, buffer);
  return extensions_.enter(c, kNone, step.op.kind, choice, 0, PastBuffer(past.begin(), past.end()));
}

void UnfoldingStrategy::cover(EventId e, const Step& step) {
  u_[e].kind = step.op.kind;
  u_.cover(e);
  if (u_[e].source == kNone) return;
  if (u_[e].writes()) {
    u_[e].state = state_after(u_, u_[e], step);
    extensions_.from_write(e);
  } else {
    extensions_.from_read(e);
  }
}

void UnfoldingStrategy::learn_end(const Execution& execution) {
  for (const Pending& p : execution.pending) {
    const ThreadId t = p.step.thread;
    if (!marking_.started(t)) marking_.start(t);
    const ConditionId c = marking_.condition(t, p.step.op.kind);
    if (u_[c].status == Status::kUnknown) reveal(c, p.step);
  }
  ThreadSet failed;
  for (const Failure& f : execution.failures)
    if (f.thread != kNoThread && f.kind != FailureKind::kDataRace) failed.insert(f.thread);
  for (std::size_t i = 0; i < execution.threads; ++i) {
    const ThreadId t(static_cast<std::uint16_t>(i));
    if (!marking_.started(t)) {
      if (u_.spawned.contains(t)) continue;   // not in this execution
      marking_.start(t);                      // without operations, and there from the start
    }
    const ConditionId c = marking_.condition(t);
    if (u_[c].status == Status::kUnknown) note_status(c, execution, failed.contains(t));
  }
}

// A thread that has no operation left.
void UnfoldingStrategy::note_status(ConditionId c, const Execution& execution, bool failed) {
  Condition& condition = u_[c];
  const EventId last = condition.last;
  const OpKind kind = last == kNone ? OpKind::kRead : u_[last].kind;
  const bool waits = kind == OpKind::kWaitRelease || kind == OpKind::kWait ||
                     (kind == OpKind::kArrive && u_.waiter_sets[u_[last].state].empty());
  const bool cut_short = execution.outcome == Outcome::kCut || execution.outcome == Outcome::kInfeasible;
  if (!failed && waits && condition.waker == kNone) {
    condition.status = Status::kParked;
  } else if (failed || cut_short || kind == OpKind::kTerminate) {
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
    if (u_[c].status == Status::kPending || u_[c].status == Status::kParked) blocked.push_back(c);
  }
  if (deadlocks_seen_.insert(deadlock_signature(blocked)).second) ++statistics_.deadlocks;
}

UnfoldingStatistics UnfoldingStrategy::statistics() const {
  UnfoldingStatistics s = statistics_;
  s.events = u_.covered();
  s.checks = co_.checks();
  s.bytes = u_.bytes();
  return s;
}

}  // namespace heddle::unfold
