#include "unfold/outcomes.h"

namespace heddle::unfold {
namespace {

std::uint64_t waiter_set(Unfolding& u, ThreadSet set) {
  if (set.empty()) return 0;
  u.waiter_sets.push_back(set);
  return u.waiter_sets.size() - 1;
}

}  // namespace

ThreadSet waiters(const Unfolding& u, EventId e) { return u.waiter_sets[u[e].state]; }

std::optional<OpKind> outcome(const Unfolding& u, ConditionId c, EventId source) {
  const Condition& condition = u[c];
  const std::uint64_t state = u[source].state;
  switch (condition.kind) {
    case OpKind::kAcquire:
    case OpKind::kSharedAcquire:
    case OpKind::kSemWait:
      if (!enabled_at(condition.kind, state)) return std::nullopt;
      return condition.kind;
    case OpKind::kTimeout:
      if (!waiters(u, source).contains(condition.thread)) return std::nullopt;
      return OpKind::kTimeout;
    case OpKind::kCas: {
      const auto expected = u.expected.find(c.value);
      if (expected == u.expected.end()) return OpKind::kCas;
      return expected->second == state ? OpKind::kCas : OpKind::kCasFailed;
    }
    case OpKind::kTryAcquire:
      return state == kLockFree ? OpKind::kTryAcquire : OpKind::kTryFailed;
    case OpKind::kSemTry:
      return state > 0 ? OpKind::kSemTry : OpKind::kSemTryFailed;
    default:
      return condition.kind;
  }
}

ThreadSet woken(const Unfolding& u, EventId e) {
  const Event& event = u[e];
  ThreadSet set;
  if (event.kind == OpKind::kSignal) {
    if (!waiters(u, event.source).empty()) set.insert(event.choice);
  } else if (event.kind == OpKind::kBroadcast) {
    set = waiters(u, event.source);
  } else if (event.kind == OpKind::kArrive) {
    set = u.waiter_sets[event.state];
  } else if (event.kind == OpKind::kSpawn) {
    set.insert(u[event.from].peer);
  }
  set.erase(event.thread);
  return set;
}

std::uint64_t state_after(Unfolding& u, const Event& event, const Step& step) {
  switch (step.op.kind) {
    case OpKind::kAcquire:
    case OpKind::kTryAcquire:
      return kHeldExclusively;
    case OpKind::kRelease:
    case OpKind::kWaitRelease:
      return kLockFree;
    case OpKind::kSharedAcquire:
    case OpKind::kSemPost:
      return step.op.before + 1;
    case OpKind::kSharedRelease:
    case OpKind::kSemWait:
    case OpKind::kSemTry:
      return step.op.before - 1;
    case OpKind::kWait:
      return waiter_set(u, waiters(u, event.source) | ThreadSet::of(event.thread.index()));
    case OpKind::kTimeout:
      return waiter_set(u, waiters(u, event.source) - ThreadSet::of(event.thread.index()));
    case OpKind::kSignal:
      return waiter_set(u, waiters(u, event.source) - ThreadSet::of(step.choice));
    case OpKind::kBroadcast:
      return 0;
    case OpKind::kArrive:
      return waiter_set(u, step.set);
    default:
      return step.op.after;
  }
}

OpKind undecided(OpKind kind) {
  if (kind == OpKind::kCasFailed) return OpKind::kCas;
  if (kind == OpKind::kTryFailed) return OpKind::kTryAcquire;
  if (kind == OpKind::kSemTryFailed) return OpKind::kSemTry;
  return kind;
}

}  // namespace heddle::unfold
