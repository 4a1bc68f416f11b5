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
  if (condition.kind == OpKind::kTimeout)
    return waiters(u, source).contains(condition.thread) ? std::optional(OpKind::kTimeout) : std::nullopt;
  const auto expected = u.expected.find(c.value);
  const std::uint64_t state = u[source].state;
  return outcome_at(condition.kind, state, expected == u.expected.end() ? state : expected->second);
}

ThreadSet woken(const Unfolding& u, EventId e) {
  const Event& event = u[e];
  ThreadSet set;
  if (event.kind == OpKind::kSignal) {
    if (!waiters(u, event.source).empty()) set.insert(event.choice);
  } else if (event.kind == OpKind::kBroadcast) {
    set = waiters(u, event.source);
  } else if (is_arrival(event.kind)) {
    set = set_of(u, e);
  } else if (event.kind == OpKind::kSpawn) {
    set.insert(u[event.from].peer);
  }
  set.erase(event.thread);
  return set;
}

void note_set(Unfolding& u, EventId e, const Step& step) {
  ThreadSet set;
  const Event& event = u[e];
  if (is_arrival(step.op.kind))
    set = step.set;
  else if (on_queue(step.op.kind))
    set = queue_after(step, waiters(u, event.source));
  if (!set.empty()) u.sets[e.value] = set;
}

}  // namespace heddle::unfold
