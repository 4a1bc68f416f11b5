#include "unfold/unfolding.h"

#include <algorithm>

#include "base/assert.h"

namespace heddle::unfold {

void join_past(PastBuffer& into, Past other) {
  if (into.size() < other.size()) into.resize(other.size(), 0);
  for (std::size_t t = 0; t < other.size(); ++t) into[t] = std::max(into[t], other[t]);
}

Unfolding::Unfolding(Variant variant)
    : variant_(variant),
      reads_ordered_(variant == Variant::kPlaceReplicated),
      events_(1),
      conditions_(1),
      users_(1),
      table_(1 << 6, 0) {}

std::size_t Unfolding::bytes() const {
  return index_.bytes() + events_.size() * sizeof(Event) + conditions_.size() * sizeof(Condition) + pasts_.size() * 4 +
         users_.size() * sizeof(User) + table_.size() * 4 + initials_.size() * 4 + woken_.size() * 32 +
         expected.size() * 32 + alternatives.size() * 40 + branch_values.size() * 32 + sets.size() * 48;
}

EventId Unfolding::initial(ObjectId object) {
  if (object.index() >= initials_.size()) initials_.resize(object.index() + 1);
  EventId& e = initials_[object.index()];
  if (e != kNone) return e;
  ++objects_;
  e = EventId(static_cast<std::uint32_t>(events_.size()));
  Event& event = events_.emplace_back();
  event.hash = combine(0x1b873593, object.value);
  event.object = object;
  event.kind = OpKind::kWrite;
  event.covered = true;
  return e;
}

namespace {
std::uint64_t place_of(ThreadId thread, EventId last, EventId waker) {
  return combine(combine(thread.value, last.value), waker.value);
}
}  // namespace

ConditionId Unfolding::find_condition(ThreadId thread, EventId last, EventId waker) const {
  if (last != kNone && waker == kNone) return events_[last.index()].after;
  const auto known = woken_.find(place_of(thread, last, waker));
  return known == woken_.end() ? kNoCondition : known->second;
}

ConditionId Unfolding::condition(ThreadId thread, EventId last, EventId waker) {
  if (const ConditionId known = find_condition(thread, last, waker); known != kNoCondition) return known;
  const ConditionId c(static_cast<std::uint32_t>(conditions_.size()));
  Condition& condition = conditions_.emplace_back();
  condition.thread = thread;
  condition.last = last;
  condition.waker = waker;
  threads_ = std::max(threads_, thread.index() + 1);
  if (last != kNone && waker == kNone)
    events_[last.index()].after = c;
  else
    woken_.emplace(place_of(thread, last, waker), c);
  return c;
}

std::uint64_t Unfolding::condition_hash(ConditionId c) const {
  const Condition& condition = conditions_[c.index()];
  std::uint64_t h = combine(condition.thread.value, events_[condition.last.index()].hash);
  if (condition.waker != kNone) h = combine(h, events_[condition.waker.index()].hash);
  return h;
}

std::uint64_t Unfolding::key(ConditionId from, std::uint64_t object_part, std::uint16_t choice) const {
  return combine(combine(condition_hash(from), object_part), choice);
}

std::uint64_t Unfolding::object_part(EventId source, std::uint64_t reads) const {
  return combine(events_[source.index()].hash, reads);
}

std::uint64_t Unfolding::join_part(ConditionId ended) const { return combine(0x9e37, condition_hash(ended)); }

EventId Unfolding::find(std::uint64_t key) const {
  const std::size_t mask = table_.size() - 1;
  for (std::size_t i = key & mask; table_[i] != 0; i = (i + 1) & mask)
    if (events_[table_[i]].hash == key) return EventId(table_[i]);
  return kNone;
}

void Unfolding::rehash() {
  std::vector<std::uint32_t> old(table_.size() * 2, 0);
  old.swap(table_);
  const std::size_t mask = table_.size() - 1;
  for (const std::uint32_t e : old) {
    if (e == 0) continue;
    std::size_t i = events_[e].hash & mask;
    while (table_[i] != 0) i = (i + 1) & mask;
    table_[i] = e;
  }
}

EventId Unfolding::enter(const Event& event, Past past) {
  const EventId e(static_cast<std::uint32_t>(events_.size()));
  events_.push_back(event);
  Event& entered = events_.back();
  const std::size_t width = std::max(past.size(), entered.thread.index() + 1);
  entered.past = static_cast<std::uint32_t>(pasts_.size());
  entered.width = static_cast<std::uint16_t>(width);
  pasts_.resize(pasts_.size() + width, 0);  // `past` never points into the pool
  std::copy(past.begin(), past.end(), pasts_.begin() + entered.past);
  pasts_[entered.past + entered.thread.index()] = e.value;
  SLOW_INVARIANT(find(entered.hash) == kNone && is_causally_closed(e));
  if (++entered_ * 3 > table_.size() * 2) rehash();
  const std::size_t mask = table_.size() - 1;
  std::size_t i = entered.hash & mask;
  while (table_[i] != 0) i = (i + 1) & mask;
  table_[i] = e.value;
  return e;
}

// With an event its past has the pasts of what it follows from: the event before in its thread, and the write that it
// finds. One past lies in another if the last event of each thread in it is a step of the other's branch.
bool Unfolding::is_causally_closed(EventId e) const {
  const auto lies_in = [&](EventId cause) {
    const Past whole = past(e);
    const Past part = past(cause);
    for (std::size_t t = 0; t < part.size(); ++t) {
      if (part[t] == 0) continue;
      if (t >= whole.size()) return false;
      EventId at(whole[t]);
      while (at.value > part[t]) at = events_[at.index()].previous;
      if (at.value != part[t]) return false;
    }
    return true;
  };
  const Event& event = events_[e.index()];
  return (event.previous == kNone || lies_in(event.previous)) && (event.source == kNone || lies_in(event.source));
}

void Unfolding::cover(EventId e) {
  Event& event = events_[e.index()];
  INVARIANT(!event.covered);
  // What has run is a configuration: with an event it has all that is before it, and ids grow along causality.
  SLOW_INVARIANT(std::ranges::all_of(past(e), [&](std::uint32_t before) {
    return before == 0 || before == e.value || (before < e.value && events_[before].covered);
  }));
  event.covered = true;
  ++covered_;
  event.next_child = events_[event.previous.index()].first_child;
  events_[event.previous.index()].first_child = e;
  if (event.source == kNone) return;
  if (!event.writes()) return link_read(e, event.source);
  EventId at = event.source;
  for (std::size_t t = 0; t < event.width; ++t)
    if (t != event.thread.index()) at = std::max(at, last_read(EventId(past(e)[t]), event.source));
  link_write(e, at);
}

void Unfolding::link_write(EventId e, EventId at) {
  Event& event = events_[e.index()];
  EventId first = events_[at.index()].first_write;
  while (first != kNone && events_[first.index()].thread != event.thread) first = events_[first.index()].next_thread;
  if (first == kNone) {
    event.next_thread = events_[at.index()].first_write;
    events_[at.index()].first_write = e;
  } else {
    event.next_sibling = events_[first.index()].next_sibling;
    events_[first.index()].next_sibling = e;
  }
}

// Behind the first read of its thread.
void Unfolding::link_read(EventId e, EventId w) {
  reads_ordered_ = reads_ordered_ || orders(events_[e.index()].kind);
  const ThreadId thread = events_[e.index()].thread;
  EventId* first = &events_[w.index()].first_read;
  while (*first != kNone && events_[first->index()].thread != thread) first = &events_[first->index()].first_read;
  if (*first == kNone) {
    *first = e;
    return;
  }
  Event& before = events_[first->index()];
  events_[e.index()].next_sibling = before.next_sibling;
  before.next_sibling = e;
}

EventId Unfolding::last_read(EventId last, EventId w) const {
  if (!reads_ordered_) return kNone;
  for (EventId e = last; e > w; e = events_[e.index()].previous)
    if (const Event& event = events_[e.index()]; event.source == w && !event.writes())
      return orders(event.kind) ? e : kNone;
  return kNone;
}

std::uint64_t Unfolding::sum_of_reads(EventId w, Past past) const {
  std::uint64_t sum = 0;
  for (const std::uint32_t last : past)
    for (EventId e(last); e > w; e = events_[e.index()].previous)
      if (events_[e.index()].source == w && !events_[e.index()].writes()) sum += mix(events_[e.index()].hash);
  return sum;
}

bool Unfolding::events_from(EventId e, std::size_t most, std::vector<std::uint32_t>& found) const {
  found.assign(1, e.value);
  for (std::size_t i = 0; i < found.size(); ++i)
    for (EventId child = events_[found[i]].first_child; child != kNone; child = events_[child.index()].next_child) {
      if (found.size() == most) return false;
      found.push_back(child.value);
    }
  return true;
}

Past Unfolding::past(ConditionId c, PastBuffer& buffer) const {
  const Condition& condition = conditions_[c.index()];
  if (condition.waker == kNone) return past(condition.last);
  if (condition.last == kNone) return past(condition.waker);
  const Past own = past(condition.last);
  buffer.assign(own.begin(), own.end());
  join_past(buffer, past(condition.waker));
  return buffer;
}

bool Unfolding::idle(ConditionId c) const {
  while (conditions_[c.index()].status != Status::kIdle) {
    const EventId last = conditions_[c.index()].last;
    if (last == kNone || events_[last.index()].kind != OpKind::kJoin) return false;
    c = events_[last.index()].from;
  }
  return true;
}

bool Unfolding::contains(Past past, EventId e) const {
  std::uint32_t last = last_in(past, events_[e.index()].thread.index());
  while (last > e.value) last = events_[last].previous.value;
  return last == e.value;
}

void Unfolding::add_user(EventId w, ConditionId c) {
  const EventId read = last_read(conditions_[c.index()].last, w);
  const std::uint32_t at = events_[(read == kNone ? w : read).index()].users;
  const ThreadId thread = conditions_[c.index()].thread;
  const auto added = static_cast<std::uint32_t>(users_.size());
  std::uint32_t first = at;
  while (first != 0 && conditions_[users_[first].condition.index()].thread != thread) first = users_[first].next_thread;
  if (first == 0) {
    users_.push_back({c, 0, at});
    events_[(read == kNone ? w : read).index()].users = added;
  } else {
    users_.push_back({c, users_[first].next, 0});
    users_[first].next = added;
  }
}

}  // namespace heddle::unfold
