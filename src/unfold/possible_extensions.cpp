#include "unfold/possible_extensions.h"

#include <algorithm>

#include "base/assert.h"
#include "unfold/outcomes.h"

namespace heddle::unfold {
EventId PossibleExtensions::enter(ConditionId c, EventId source, OpKind kind, std::uint16_t choice, std::uint64_t reads,
                                  Past past) {
  const std::uint64_t key = u_.key(c, source == kNone ? 0 : u_.object_part(source, reads), choice);
  if (const EventId known = u_.find(key); known != kNone) return known;
  const Condition& condition = u_[c];
  Event event;
  event.hash = key;
  event.from = c;
  event.previous = condition.last;
  event.source = source;
  event.object = condition.object;
  event.choice = choice;
  event.thread = condition.thread;
  event.kind = kind;
  const EventId e = u_.enter(event, past);
  SLOW_INVARIANT(is_configuration(e));
  found_.push_back(e);
  return e;
}

void PossibleExtensions::from_condition(ConditionId c, EventId source) {
  const Condition condition = u_[c];
  if (condition.kind == OpKind::kJoin) return from_joiner(c);
  if (condition.kind == OpKind::kSpawn) u_.spawned.insert(condition.peer);
  if (condition.object == kNoObject) {
    const Past past = u_.past(c, past_);
    union_.assign(past.begin(), past.end());
    const auto alternatives = u_.alternatives.find(c.value);
    if (alternatives == u_.alternatives.end()) {
      enter(c, kNone, condition.kind, 0, 0, union_);
    } else {
      alternatives->second.for_each(
          [&](std::size_t choice) { enter(c, kNone, condition.kind, static_cast<std::uint16_t>(choice), 0, union_); });
    }
    return;
  }
  // Nobody else can change a lock that is held by the thread itself.
  if (releases(condition.kind) && u_[source].thread == condition.thread) return pair(c, source);
  frontier_.assign(1, {source, kNone});
  co_.fix(u_.past(c, past_));
  while (!frontier_.empty()) {
    const auto [w, from] = frontier_.back();
    frontier_.pop_back();
    if (!co_.fits_object(c, w)) continue;
    pair(c, w);
    if (u_[w].source != kNone && u_[w].source != from) frontier_.push_back({u_[w].source, w});
    u_.for_each_write_beside(w, c, [&](EventId e) {
      if (e != from) frontier_.push_back({e, w});
    });
  }
}

void PossibleExtensions::from_write(EventId e) {
  co_.fix(u_.past(e));
  u_.for_each_user_beside_write(e, [&](ConditionId c) {
    if (co_.fits_condition(e, c, u_.past(c, past_))) pair(c, e);
  });
}

void PossibleExtensions::from_read(EventId e) {
  if (!u_.orders(u_[e].kind)) return;
  const EventId w = u_[e].source;
  u_.for_each_user_beside_read(e, [&](ConditionId c) { events_of(c, w, e); });
}

void PossibleExtensions::from_joiner(ConditionId c) {
  const ThreadId joiner = u_[c].thread, peer = u_[c].peer;
  Ends& ends = ends_of(peer);
  ends.joiners.insert(joiner);
  ends.waiting.resize(std::max(ends.waiting.size(), joiner.index() + 1));
  add(ends.waiting[joiner.index()], c);
  // The other ends in a branch that goes on from the last event that is known of it. Where these are many, then because
  // little is known of it, and what it knows itself may say more: whom the joiner has joined before it knows to the
  // end.
  constexpr std::size_t kFew = 256;
  const EventId from(u_.known(c, peer));
  const auto try_join = [&](ConditionId d) { join(c, d); };
  if (from != kNone && u_.events_from(from, kFew, events_)) {
    const auto events = [&](auto&& each) { std::for_each(events_.begin(), events_.end(), each); };
    for_each_knowing(ends.known, name(peer, kNoThread), peer, events, try_join);
  } else {
    EventId join = u_[c].last;
    while (join != kNone && u_[join].joined == kNoCondition) join = u_[join].previous;
    for_each_beside(ends.known, name(peer, kNoThread), u_.branch(join == kNone ? c : u_[join].joined), try_join);
  }
}

void PossibleExtensions::from_end(ConditionId c) {
  const ThreadId thread = u_[c].thread;
  Ends& ends = ends_of(thread);
  add(ends.known, c);
  ends.joiners.for_each_thread([&](ThreadId joiner) {
    for_each_beside(ends.waiting[joiner.index()], name(thread, joiner), u_.branch(c),
                    [&](ConditionId d) { join(d, c); });
  });
}

PossibleExtensions::Ends& PossibleExtensions::ends_of(ThreadId thread) {
  if (ends_.size() <= thread.index()) ends_.resize(thread.index() + 1);
  return ends_[thread.index()];
}

// Behind the first.
void PossibleExtensions::add(std::uint32_t& first, ConditionId c) {
  const auto added = static_cast<std::uint32_t>(members_.size());
  if (first == 0) {
    first = added;
    members_.push_back({c, 0});
  } else {
    members_.push_back({c, members_[first].next});
    members_[first].next = added;
  }
}

void PossibleExtensions::from_state(EventId initial) {
  u_.for_each_user(initial, [&](ConditionId c) { events_of(c, initial, kNone); });
}

void PossibleExtensions::join(ConditionId c, ConditionId ended) {
  if (u_.idle(c)) return;
  // Taken for a thread without operations before anybody was seen to spawn it.
  const Condition& end = u_[ended];
  if (end.last == kNone && end.waker == kNone && u_.spawned.contains(end.thread)) return;
  if (co_.concurrent(c, u_.past(c, past_), ended, u_.past(ended, joined_past_))) enter_join(c, ended);
}

EventId PossibleExtensions::enter_join(ConditionId c, ConditionId ended) {
  const std::uint64_t key = u_.key(c, u_.join_part(ended), 0);
  if (const EventId known = u_.find(key); known != kNone) return known;
  const Past past = u_.past(c, past_);
  union_.assign(past.begin(), past.end());
  join_past(union_, u_.past(ended, joined_past_));
  Event event;
  event.hash = key;
  event.from = c;
  event.previous = u_[c].last;
  event.joined = ended;
  event.thread = u_[c].thread;
  event.kind = OpKind::kJoin;
  const EventId e = u_.enter(event, union_);
  SLOW_INVARIANT(is_configuration(e));
  found_.push_back(e);
  return e;
}

// No two events of a past are in conflict: there is an order in which they all run, with the event itself the last.
bool PossibleExtensions::is_configuration(EventId e) {
  std::vector<EventId> order;
  return co_.linearize(u_.past(e), order) && order.back() == e;
}

void PossibleExtensions::pair(ConditionId c, EventId w) {
  u_.add_user(w, c);
  events_of(c, w, kNone);
}

// The events of a pair; with `with_read` those that come after that read.
void PossibleExtensions::events_of(ConditionId c, EventId w, EventId with_read) {
  const auto kind = outcome(u_, c, w);
  if (!kind) return;
  const bool by_reads = access_of(*kind) == Access::kWrites && u_.orders(*kind);
  if (with_read != kNone && !by_reads) return;
  const auto each_choice = [&](std::uint16_t choice) {
    if (by_reads) return writes_of(c, w, *kind, choice, with_read);
    const Past past = u_.past(c, past_);
    union_.assign(past.begin(), past.end());
    join_past(union_, u_.past(w));
    enter(c, w, *kind, choice, 0, union_);
  };
  if (*kind != OpKind::kSignal || waiters(u_, w).empty()) return each_choice(0);
  waiters(u_, w).for_each([&](std::size_t t) { each_choice(static_cast<std::uint16_t>(t)); });
}

PastBuffer& PossibleExtensions::level(std::size_t depth) {
  if (levels_.size() <= depth) levels_.resize(depth + 1);
  return levels_[depth];
}

void PossibleExtensions::writes_of(ConditionId c, EventId w, OpKind kind, std::uint16_t choice, EventId with_read) {
  const Past past = u_.past(c, past_);
  const std::size_t t = u_[c].thread.index();
  const auto fits = [&](EventId read, Past base) {
    return last_in(u_.past(read), t) <= last_in(base, t) && co_.compatible(u_.past(read), base);
  };
  level(0).assign(past.begin(), past.end());
  join_past(levels_[0], u_.past(w));
  if (with_read != kNone) {
    if (u_.contains(levels_[0], with_read) || !fits(with_read, levels_[0])) return;
    join_past(levels_[0], u_.past(with_read));
  }
  candidates_.clear();
  const std::uint64_t reads = u_.sum_of_reads(w, levels_[0]);
  // Its own thread reads no more, and nothing is known to come after a read that has just been covered.
  u_.for_each_read(w, u_.branch(c), with_read == kNone ? kNoThread : u_[with_read].thread, [&](EventId r) {
    if (!u_.contains(levels_[0], r) && fits(r, levels_[0])) candidates_.push_back(r);
  });
  std::sort(candidates_.begin(), candidates_.end());
  excluded_.clear();
  wanted_ = {c, w, kind, choice};
  choose_reads(0, 0, reads);
}

// Every set of candidates that is closed under causality and without conflict, once. A read comes after those in
// its past, so it is decided on after them.
void PossibleExtensions::choose_reads(std::size_t next, std::size_t depth, std::uint64_t reads) {
  if (next == candidates_.size()) {
    enter(wanted_.condition, wanted_.source, wanted_.kind, wanted_.choice, reads, levels_[depth]);
    return;
  }
  const EventId r = candidates_[next];
  excluded_.push_back(r);
  choose_reads(next + 1, depth, reads);
  excluded_.pop_back();
  const Past past = u_.past(r);
  for (const EventId x : excluded_)
    if (u_.contains(past, x)) return;
  if (!co_.compatible(past, levels_[depth])) return;
  level(depth + 1);
  levels_[depth + 1].assign(levels_[depth].begin(), levels_[depth].end());
  join_past(levels_[depth + 1], u_.past(r));
  choose_reads(next + 1, depth + 1, reads + mix(u_[r].hash));
}

}  // namespace heddle::unfold
