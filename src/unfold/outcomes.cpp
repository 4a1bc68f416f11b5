#include "unfold/outcomes.h"

namespace heddle::unfold {
namespace {

ThreadSet set_of(const Unfolding& u, EventId e) {
  const auto known = u.sets.find(e.value);
  return known == u.sets.end() ? ThreadSet{} : known->second;
}

}  // namespace

// Writes that are no concern of the queue (to the word that threads wait on) leave it as it is.
ThreadSet waiters(const Unfolding& u, EventId e) {
  while (u[e].thread != kNoThread && !on_queue(u[e].kind)) e = u[e].source;
  return set_of(u, e);
}

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
    case OpKind::kSleep:
      return u.expected.at(c.value) == state ? OpKind::kSleep : OpKind::kSleepRefused;
    case OpKind::kTryAcquire:
      return state == kLockFree ? OpKind::kTryAcquire : OpKind::kTryFailed;
    case OpKind::kSharedTry:
      return state != kHeldExclusively ? OpKind::kSharedTry : OpKind::kSharedTryFailed;
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
    set = set_of(u, e);
  } else if (event.kind == OpKind::kSpawn) {
    set.insert(u[event.from].peer);
  }
  set.erase(event.thread);
  return set;
}

std::uint64_t state_after(const Step& step) {
  switch (step.op.kind) {
    case OpKind::kAcquire:
    case OpKind::kTryAcquire:
      return kHeldExclusively;
    case OpKind::kRelease:
    case OpKind::kWaitRelease:
      return kLockFree;
    case OpKind::kSleep:
      return step.op.before;
    case OpKind::kSharedAcquire:
    case OpKind::kSharedTry:
    case OpKind::kSemPost:
      return step.op.before + 1;
    case OpKind::kSharedRelease:
    case OpKind::kSemWait:
    case OpKind::kSemTry:
      return step.op.before - 1;
    default:
      return step.op.after;
  }
}

void note_set(Unfolding& u, EventId e, const Step& step) {
  ThreadSet set;
  const Event& event = u[e];
  if (step.op.kind == OpKind::kWait || step.op.kind == OpKind::kSleep)
    set = waiters(u, event.source) | ThreadSet::of(event.thread.index());
  else if (step.op.kind == OpKind::kTimeout)
    set = waiters(u, event.source) - ThreadSet::of(event.thread.index());
  else if (step.op.kind == OpKind::kSignal)
    set = waiters(u, event.source) - ThreadSet::of(step.choice);
  else if (step.op.kind == OpKind::kArrive)
    set = step.set;
  if (!set.empty()) u.sets[e.value] = set;
}

OpKind undecided(OpKind kind) {
  if (kind == OpKind::kCasFailed) return OpKind::kCas;
  if (kind == OpKind::kTryFailed) return OpKind::kTryAcquire;
  if (kind == OpKind::kSharedTryFailed) return OpKind::kSharedTry;
  if (kind == OpKind::kSemTryFailed) return OpKind::kSemTry;
  if (kind == OpKind::kSleepRefused) return OpKind::kSleep;
  return kind;
}

}  // namespace heddle::unfold
