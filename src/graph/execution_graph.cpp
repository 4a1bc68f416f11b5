#include "graph/execution_graph.h"

#include <algorithm>

#include "base/assert.h"
#include "trace/compare_exchange.h"
#include "trace/object.h"

namespace heddle::graph {

bool writes(OpKind kind) { return access_of(kind) == Access::kWrites; }

bool reads(OpKind kind) { return access_of(kind) != Access::kNone && kind != OpKind::kWrite; }

bool is_link(OpKind kind) {
  if (kind == OpKind::kWrite || kind == OpKind::kUpdate || kind == OpKind::kCas) return false;
  return writes(kind) && !is_attempt(kind);
}

bool would_write(const Event& event, std::uint64_t value) {
  const Operation& op = event.op;
  const OpKind attempt = undecided(op.kind);
  if (!is_attempt(attempt)) return writes(op.kind);
  // One that succeeded has found what it compares with.
  const std::uint64_t expected = op.kind == attempt ? op.before : op.after;
  return writes(*outcome_at(attempt, value, expected));
}

MemoryOrder order_if(const Event& event, bool it_writes) {
  const bool compares = undecided(event.op.kind) == OpKind::kCas;
  return compares && writes(event.op.kind) != it_writes ? event.other_order : event.op.order;
}

MemoryOrder order_of(const Event& event) {
  const OpKind kind = event.op.kind;
  return on_memory(kind) || kind == OpKind::kFence ? event.order : row_of(kind).order;
}

void ExecutionGraph::clear() {
  events_.clear();
  by_thread_.clear();
  mo_.clear();
  first_values_.clear();
  clocks_.clear();
  stride_ = 0;
  next_stamp_ = 1;
}

std::size_t ExecutionGraph::place_of(EventId write) const {
  if (write == kInitial) return 0;
  const std::vector<EventId>& order = mo_[events_[write].slot];
  const auto at = std::find(order.begin(), order.end(), write);
  INVARIANT(at != order.end());
  return static_cast<std::size_t>(at - order.begin()) + 1;
}

void ExecutionGraph::set_first_value(ObjectSlot slot, std::uint64_t value) {
  if (slot >= first_values_.size()) first_values_.resize(slot + 1);
  first_values_[slot] = value;
}

EventId ExecutionGraph::add(const Step& step, ObjectSlot slot) {
  const auto id = static_cast<EventId>(events_.size());
  const std::size_t t = step.thread.index();
  widen(t + 1);
  if (slot != kNoSlot && slot >= mo_.size()) mo_.resize(slot + 1);
  Event event;
  event.thread = step.thread;
  event.index = static_cast<std::uint32_t>(by_thread_[t].size());
  event.slot = slot;
  event.choice = step.choice;
  event.where = step.where;
  event.reads = slot != kNoSlot && reads(step.op.kind);
  event.writes = slot != kNoSlot && writes(step.op.kind);
  event.stamp = event.write_stamp = next_stamp();
  if (event.updates()) event.write_stamp = next_stamp();
  events_.push_back(event);
  set_step(id, step);
  by_thread_[t].push_back(id);
  clocks_.resize(events_.size() * kClocks * stride_);
  compute_clocks(id);
  return id;
}

std::uint64_t ExecutionGraph::value_of(EventId write, ObjectSlot slot) const {
  if (write == kInitial) return *first_values_[slot];
  const Operation& op = events_[write].op;
  return state_after(op.kind, op.before, op.after);
}

EventId ExecutionGraph::follower_of(EventId source, EventId than) const {
  for (EventId u = 0; u < events_.size(); ++u) {
    const Event& event = events_[u];
    if (u != than && event.updates() && !event.blocked && event.slot == events_[than].slot && event.source == source)
      return u;
  }
  return kInitial;
}

void ExecutionGraph::set_step(EventId e, const Step& step) {
  Event& event = events_[e];
  event.op = step.op;
  event.order = step.op.order;
  if (undecided(step.op.kind) == OpKind::kCas) event.other_order = other_order(step);
  event.alternatives = step.set;
}

void ExecutionGraph::set_source(EventId read, EventId source) {
  events_[read].source = source;
  compute_clocks(read);
}

void ExecutionGraph::set_place(EventId write, EventId predecessor) {
  remove_from_mo(write);
  std::vector<EventId>& order = mo_[events_[write].slot];
  order.insert(order.begin() + static_cast<std::ptrdiff_t>(place_of(predecessor)), write);
}

void ExecutionGraph::remove_from_mo(EventId write) { std::erase(mo_[events_[write].slot], write); }

// The event with which the thread of this one has begun to wait for a wake-up, if that is what it did last.
EventId ExecutionGraph::queued_with(const Event& event) const {
  if (event.index == 0 || event.op.kind == OpKind::kTimeout) return kInitial;  // that one leaves by itself
  const std::vector<EventId>& own = by_thread_[event.thread.index()];
  const EventId last = own[event.index - 1];
  const Event& before = events_[last];
  if (before.op.kind == OpKind::kWaitRelease) return own[event.index - 2];
  const bool at_barrier =
      is_arrival(before.op.kind) && before.op.after != 0 && !before.alternatives.contains(event.thread.index());
  return before.op.kind == OpKind::kSleep || at_barrier ? last : kInitial;
}

void ExecutionGraph::edges_into(EventId e, std::vector<EventId>& before) const {
  before.clear();
  const Event& event = events_[e];
  if (event.op.kind == OpKind::kJoin && event.op.peer.index() < by_thread_.size()) {
    const std::vector<EventId>& peer = by_thread_[event.op.peer.index()];
    if (!peer.empty()) before.push_back(peer.back());
  }
  // Whoever started or woke the thread since its last event did so before this one.
  if (event.op.kind == OpKind::kWaitRelease) return;
  const EventId queued = queued_with(event);
  if (event.index > 0 && queued == kInitial) return;
  EventId woke = kInitial;  // the first one behind the wait: later waits of the thread are registered again
  for (EventId x = 0; x < events_.size(); ++x) {
    const Event& other = events_[x];
    if (other.thread == event.thread || other.blocked) continue;
    if (queued == kInitial) {
      if (other.op.kind == OpKind::kSpawn && other.op.peer == event.thread) before.push_back(x);
      continue;
    }
    if (other.slot != events_[queued].slot) continue;
    Step step;
    step.op = other.op;
    step.choice = other.choice;
    step.set = other.alternatives;
    if (!woken_by(step).contains(event.thread) || place_of(x) < place_of(queued)) continue;
    if (woke == kInitial || place_of(x) < place_of(woke)) woke = x;
  }
  if (woke != kInitial) before.push_back(woke);
}

void ExecutionGraph::join(std::uint32_t* to, const std::uint32_t* from) const {
  for (std::size_t t = 0; t < stride_; ++t) to[t] = std::max(to[t], from[t]);
}

void ExecutionGraph::compute_clocks(EventId e) {
  const Event& event = events_[e];
  const std::size_t t = event.thread.index();
  const MemoryOrder order = order_of(event);
  const bool fence = event.op.kind == OpKind::kFence;
  std::uint32_t* const prefix = row(e, Clock::kPrefix);
  std::uint32_t* const hb = row(e, Clock::kHappensBefore);
  std::uint32_t* const pending = row(e, Clock::kPending);
  std::uint32_t* const fenced = row(e, Clock::kFenced);
  std::uint32_t* const released = row(e, Clock::kReleased);
  std::fill(prefix, prefix + kClocks * stride_, 0);
  if (event.index > 0) {  // all but what the one before has released
    const EventId last = by_thread_[t][event.index - 1];
    std::copy_n(row(last, Clock::kPrefix), static_cast<std::size_t>(Clock::kReleased) * stride_, prefix);
  }
  const bool reads_from = event.reads && event.source != kInitial;
  const bool atomic = order != MemoryOrder::kPlain;
  if (reads_from) join(prefix, row(event.source, Clock::kPrefix));
  if (reads_from && atomic) join(acquires(order) ? hb : pending, row(event.source, Clock::kReleased));
  edges_into(e, room_.before);
  for (const EventId x : room_.before) {
    join(prefix, row(x, Clock::kPrefix));
    if (synchronizes(x, e)) join(hb, row(x, Clock::kHappensBefore));
  }
  if (fence && acquires(order)) join(hb, pending);
  prefix[t] = hb[t] = event.index + 1;
  if (fence && releases(order)) std::copy_n(hb, stride_, fenced);
  if (!event.writes || !atomic) return;
  std::copy_n(releases(order) ? hb : fenced, stride_, released);
  if (reads_from) join(released, row(event.source, Clock::kReleased));
}

void ExecutionGraph::widen(std::size_t threads) {
  if (threads <= stride_) return;
  const std::size_t wider = std::max(threads, stride_ + stride_ / 2);
  const std::size_t rows = events_.size() * kClocks;
  std::vector<std::uint32_t> clocks(rows * wider, 0);
  for (std::size_t row = 0; row < rows; ++row)
    std::copy_n(clocks_.begin() + static_cast<std::ptrdiff_t>(row * stride_), stride_,
                clocks.begin() + static_cast<std::ptrdiff_t>(row * wider));
  clocks_ = std::move(clocks);
  stride_ = wider;
  by_thread_.resize(wider);
}

void ExecutionGraph::assign(std::vector<Event> events, std::vector<std::uint32_t> clocks, Stamp next_stamp) {
  clear();
  stride_ = events.empty() ? 0 : clocks.size() / (events.size() * kClocks);
  by_thread_.resize(stride_);
  for (EventId e = 0; e < events.size(); ++e) by_thread_[events[e].thread.index()].push_back(e);
  events_ = std::move(events);
  clocks_ = std::move(clocks);
  next_stamp_ = next_stamp;
}

void ExecutionGraph::set_mo(ObjectSlot slot, std::span<const EventId> order) {
  if (slot >= mo_.size()) mo_.resize(slot + 1);
  mo_[slot].assign(order.begin(), order.end());
}

void ExecutionGraph::cut_to(std::size_t size) {
  for (std::size_t x = size; x < events_.size(); ++x) {
    by_thread_[events_[x].thread.index()].pop_back();
    if (events_[x].writes && !events_[x].blocked) remove_from_mo(static_cast<EventId>(x));
  }
  events_.resize(size);
  clocks_.resize(size * kClocks * stride_);
}

void ExecutionGraph::become_part_of(const ExecutionGraph& whole, const std::vector<bool>& kept,
                                    std::vector<EventId>& renamed) {
  stride_ = whole.stride_;
  next_stamp_ = whole.next_stamp_;
  first_values_ = whole.first_values_;
  events_.clear();
  clocks_.clear();
  renamed.assign(whole.size(), kInitial);
  const std::size_t row = kClocks * stride_;
  for (EventId e = 0; e < whole.size(); ++e) {
    if (!kept[e]) continue;
    renamed[e] = static_cast<EventId>(events_.size());
    events_.push_back(whole.events_[e]);
    const auto clocks = whole.clocks_.begin() + static_cast<std::ptrdiff_t>(e * row);
    clocks_.insert(clocks_.end(), clocks, clocks + static_cast<std::ptrdiff_t>(row));
  }
  const auto rename = [&](const std::vector<std::vector<EventId>>& from, std::vector<std::vector<EventId>>& to) {
    to.resize(from.size());
    for (std::size_t i = 0; i < from.size(); ++i) {
      to[i].clear();
      for (const EventId e : from[i])
        if (kept[e]) to[i].push_back(renamed[e]);
    }
  };
  rename(whole.by_thread_, by_thread_);
  rename(whole.mo_, mo_);
  for (Event& event : events_)
    if (event.reads && event.source != kInitial) event.source = renamed[event.source];
}

void ExecutionGraph::linearize(std::vector<EventId>& order) const {
  order.clear();
  std::vector<std::uint32_t>& done = room_.done;
  done.assign(by_thread_.size(), 0);
  const auto is_ready = [&](EventId e) {
    const auto needs = clock(e);
    for (std::size_t t = 0; t < done.size(); ++t)
      if (needs[t] > done[t] + (t == events_[e].thread.index() ? 1 : 0)) return false;
    return true;
  };
  std::vector<bool>& placed = room_.placed;
  placed.assign(events_.size(), false);
  for (bool again = true; again;) {
    again = false;
    for (EventId e = 0; e < events_.size(); ++e) {
      if (placed[e] || events_[e].blocked || !is_ready(e)) continue;
      placed[e] = true;
      ++done[events_[e].thread.index()];
      order.push_back(e);
      again = true;
    }
  }
}

}  // namespace heddle::graph
