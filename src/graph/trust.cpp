#include "graph/trust.h"

#include <algorithm>

#include "base/assert.h"
#include "trace/object.h"

namespace heddle::graph {

// ---- what to run next ----

bool Trust::next(Schedule& schedule) {
  if (frontier_ && frontier_->stopped()) return false;
  for (;;) {
    if (depth_ == 0) {
      if (!take_parcel()) return false;
      if (level().items.empty()) {  // the whole search
        plan(schedule);
        return true;
      }
    }
    if (level().items.empty()) {
      --depth_;
      continue;
    }
    const Item item = level().items.back();
    level().items.pop_back();
    changed_ = kInitial;
    if (!apply(item)) continue;
    plan(schedule);
    return true;
  }
}

// The graph becomes the one that the item asks for; false: there is nothing to run.
bool Trust::apply(const Item& item) {
  if (item.kind == ItemKind::kBackward) return revisit(item);
  ExecutionGraph& g = graph();
  g.cut_to(item.event + 1);
  switch (item.kind) {
    case ItemKind::kRead:
      return read_from(item.event, item.other);
    case ItemKind::kPlace:
      g.set_place(item.event, item.other);
      return checker_.is_consistent(g, {item.event});
    case ItemKind::kAlternative:
      g[item.event].choice = item.choice;
      return true;
    case ItemKind::kBackward:
      break;
  }
  return false;
}

bool Trust::read_from(EventId e, EventId source) {
  ExecutionGraph& g = graph();
  if (g[e].writes) g.remove_from_mo(e);
  const bool writes = would_write(g[e], g.value_of(source, g[e].slot));
  g[e].order = order_if(g[e], writes);
  if (writes && g.follower_of(source, e) != kInitial) {
    g[e].writes = g[e].blocked = true;
    g.set_source(e, source);
    ask_for_backward_revisits(e);
    return false;
  }
  // Whether it writes turns out when it is run; its place would be right behind its source, which the models allow if
  // they allow the read. (Under tso because the attempt is as strong as the read-modify-write.)
  g[e].writes = g[e].blocked = false;
  g.set_source(e, source);
  changed_ = e;
  return checker_.is_consistent(g, {e});
}

// SetRF(G restricted to what is not deleted, w, r), and w at one of its places.
bool Trust::revisit(const Item& item) {
  const EventId r = item.event, w = item.from;
  graph().cut_to(item.size);
  const bool deleted = is_link(graph()[r].op.kind);
  const bool value_known = !graph()[w].blocked;  // it has been run with the source that it has
  kept_.assign(item.size, false);
  for (EventId e = 0; e < item.size; ++e) kept_[e] = (e <= r && !graph()[e].blocked) || graph().in_prefix(e, w);
  if (deleted) kept_[r] = false;
  if (depth_ == levels_.size()) levels_.emplace_back();
  levels_[depth_].graph.become_part_of(graph(), kept_, renamed_);
  levels_[depth_].items.clear();
  ++depth_;
  ExecutionGraph& g = graph();
  const EventId write = renamed_[w];
  if (!deleted && g[renamed_[r]].writes) g.remove_from_mo(renamed_[r]);
  if (g[write].writes) g.remove_from_mo(write);
  for (EventId e = 0; e < g.size(); ++e)
    if (g.in_prefix(e, write)) g[e].settled = true;
  // Another state, other alternatives: the first of them, whichever that is.
  if (g[write].blocked && has_alternatives(g[write].op.kind)) g[write].choice = kAnyChoice;
  g[write].blocked = false;
  g.set_place(write, item.other == kInitial ? kInitial : renamed_[item.other]);
  g.compute_clocks(write);
  if (!deleted) changed_ = renamed_[r];
  if (deleted ? checker_.is_consistent(g, {write}) : is_consistent_with(write, value_known, changed_)) return true;
  --depth_;
  return false;
}

// The read takes its source.
bool Trust::is_consistent_with(EventId source, bool value_known, EventId read) {
  ExecutionGraph& g = graph();
  g[read].writes = false;
  const auto is_consistent_if = [&](bool it_writes) {
    g[read].order = order_if(g[read], it_writes);
    g.set_source(read, source);
    return checker_.is_consistent(g, {source, read});
  };
  if (order_if(g[read], true) == order_if(g[read], false)) return is_consistent_if(true);
  if (value_known) return is_consistent_if(would_write(g[read], g.value_of(source, g[read].slot)));
  const bool may_fail = is_consistent_if(false);
  INVARIANT(is_consistent_if(true) == may_fail);
  return may_fail;
}

// The graph as an interleaving, and then whatever comes first.
void Trust::plan(Schedule& schedule) {
  ExecutionGraph& g = graph();
  g.linearize(planned_);
  INVARIANT(planned_.size() == g.size());
  // Nothing depends on a read that has got another source, and whether it writes is not known yet: it comes last.
  if (changed_ != kInitial) {
    std::erase(planned_, changed_);
    planned_.push_back(changed_);
  }
  run_.assign(g.size(), false);
  schedule.steps.clear();
  for (const EventId e : planned_) {
    schedule.steps.push_back({g[e].thread, choice_of(e)});
    run_[e] = true;
  }
  const auto [ours, theirs] = std::mismatch(schedule.steps.begin(), schedule.steps.end(), last_.begin(), last_.end());
  schedule.fresh = static_cast<std::size_t>(ours - schedule.steps.begin());
  schedule.sleep.clear();
  schedule.tail = {.kind = TailKind::kLeftmost};
}

// Of a read: how many writes that have been run are behind the one that it reads from; of a write: behind its place.
std::uint16_t Trust::choice_of(EventId e) {
  const ExecutionGraph& g = graph();
  const Event& event = g[e];
  if (event.slot == kNoSlot || has_alternatives(event.op.kind)) return event.choice;
  const auto mo = g.mo(event.slot);
  std::size_t from = event.reads ? g.place_of(event.source) : g.place_of(e);
  std::uint16_t newer = 0;
  for (; from < mo.size(); ++from) newer += run_[mo[from]];
  return newer;
}

// ---- what came of it ----

void Trust::learn(const Execution& execution) {
  take_in(execution);
  last_.clear();
  for (const Step& step : execution.steps) last_.push_back({step.thread, step.choice});
  if (frontier_ && frontier_->hungry()) give_away();
}

void Trust::take_in(const Execution& execution) {
  met_.assign(slots_.size(), false);
  follow(execution);
  for (std::size_t i = planned_.size(); i < execution.steps.size(); ++i) add(execution.steps[i]);
  for (const Pending& pending : execution.pending)
    if (!pending.enabled && pending.step.op.object != kNoObject) add_blocked(pending.step);
  if (checker_.model() == MemoryModel::kCpp20 && load_buffering_.empty())
    if (const auto pair = checker_.find_load_buffering(graph(), static_cast<EventId>(planned_.size()), changed_))
      load_buffering_ = {graph()[pair->first].where, graph()[pair->second].where};
}

// Events that were there before, as they have turned out now.
void Trust::follow(const Execution& execution) {
  ExecutionGraph& g = graph();
  bool otherwise = false;  // clocks may be others from here on
  for (std::size_t i = 0; i < planned_.size(); ++i) {
    const Step& step = execution.steps[i];
    meet(step);
    Event& event = g[planned_[i]];
    otherwise |= event.op.kind != step.op.kind || event.order != step.op.order;
    g.set_step(planned_[i], step);
    if (otherwise) g.compute_clocks(planned_[i]);
    if (event.choice == kAnyChoice) {
      event.choice = step.choice;
      ask_for_alternatives(planned_[i]);
    }
  }
  if (changed_ == kInitial || !writes(g[changed_].op.kind)) return;
  g[changed_].writes = true;
  g[changed_].write_stamp = g.next_stamp();
  g.set_place(changed_, g[changed_].source);
  g.compute_clocks(changed_);
  ask_for_backward_revisits(changed_);
}

// The first step of all on an object finds what it held at first.
void Trust::meet(const Step& step) {
  if (step.op.object == kNoObject) return;
  const ObjectSlot slot = slot_of(step.op.object);
  if (met_[slot]) return;
  met_[slot] = true;
  graph().set_first_value(slot, step.op.before);
}

void Trust::add(const Step& step) {
  meet(step);
  ExecutionGraph& g = graph();
  const ObjectSlot slot = step.op.object == kNoObject ? kNoSlot : slot_of(step.op.object);
  const EventId e = g.add(step, slot);
  if (slot == kNoSlot) return ask_for_alternatives(e);
  const EventId last = g.last_write(slot);
  if (g[e].reads) {
    g.set_source(e, last);
    ask_for_sources(e);
  }
  ask_for_alternatives(e);  // explored first, as long as it reads what it reads
  if (!g[e].writes) return;
  g.set_place(e, last);
  if (!g[e].reads && last != kInitial) {
    ask({ItemKind::kPlace, e, kInitial});
    for (const EventId other : g.mo(slot))
      if (other != e && other != last) ask({ItemKind::kPlace, e, other});
  }
  ask_for_backward_revisits(e);
}

void Trust::ask_for_alternatives(EventId e) {
  const Event event = graph()[e];
  if (!has_alternatives(event.op.kind)) return;
  event.alternatives.for_each([&](std::size_t c) {
    if (c != event.choice) ask({.kind = ItemKind::kAlternative, .event = e, .choice = static_cast<std::uint16_t>(c)});
  });
}

// It has no source and no place.
void Trust::add_blocked(const Step& step) {
  if (!writes(step.op.kind)) return;
  const EventId e = graph().add(step, slot_of(step.op.object));
  graph()[e].blocked = true;
  ask_for_sources(e);
}

// Forward revisits. A read-modify-write cannot follow a write that another one has followed for good.
void Trust::ask_for_sources(EventId e) {
  const ExecutionGraph& g = graph();
  const Event event = g[e];
  if (event.op.kind == OpKind::kRelease || event.op.kind == OpKind::kWaitRelease) return;  // only its own acquire
  const std::uint64_t turn = event.blocked ? event.op.after : event.op.before;
  const auto ask_for = [&](EventId source) {
    if (!event.blocked && source == event.source) return;
    if (blocks(event.op.kind) && !enabled_at(event.op.kind, g.value_of(source, event.slot), turn)) return;
    ask({ItemKind::kRead, e, source});
  };
  if (g.first_value(event.slot)) ask_for(kInitial);  // otherwise nothing has happened to what it waits for
  for (const EventId w : g.mo(event.slot)) ask_for(w);
}

// Backward revisits, the latest read first. What is deleted for one read is deleted for those before it too, so the
// first event that was not added maximally ends the search. (w is the last write, but it may be the second half of an
// earlier event.)
//
// If another read-modify-write has followed what w follows, only a revisit that deletes or changes it leads anywhere.
void Trust::ask_for_backward_revisits(EventId w) {
  const ExecutionGraph& g = graph();
  const EventId rival = g[w].reads ? g.follower_of(g[w].source, w) : kInitial;
  if (rival != kInitial && g.in_prefix(rival, w)) return;
  for (auto e = static_cast<EventId>(g.size()); e-- > 0;) {
    if (g[e].blocked || g.in_prefix(e, w)) continue;
    if (!is_maximally_added(e, w)) return;
    const bool leads = rival == kInitial || e <= rival;
    if (leads && g[e].reads && g[e].slot == g[w].slot) ask_for_backward_revisit(e, w);
  }
}

void Trust::ask_for_backward_revisit(EventId r, EventId w) {
  const ExecutionGraph& g = graph();
  const auto size = static_cast<EventId>(g.size());
  if (g[w].reads) return ask({ItemKind::kBackward, r, g[w].source, w, size});
  ask({ItemKind::kBackward, r, kInitial, w, size});
  for (const EventId other : g.mo(g[w].slot))
    if (other != w && other != r && (other < r || g.in_prefix(other, w))) ask({ItemKind::kBackward, r, other, w, size});
}

// IsMaximallyAdded(G, e, w): was e added as a fresh run would add it, in view of what was there before e or is in w's
// prefix?
bool Trust::is_maximally_added(EventId e, EventId w) {
  const ExecutionGraph& g = graph();
  const Event& event = g[e];
  if (event.settled) return false;
  const bool chose = has_alternatives(event.op.kind) && !event.alternatives.empty();
  if (chose && event.choice != event.alternatives.first()) return false;
  if (event.slot == kNoSlot) return true;
  if (event.reads) {
    const EventId s = event.source;
    if (s != kInitial && g[s].write_stamp > event.stamp && !g.in_prefix(s, w)) return false;
    if (!is_last_before(event.slot, s, event.stamp, w)) return false;
  }
  if (!event.writes) return true;
  for (EventId x = 0; x < e; ++x)  // who was made to read from it; later readers are not kept if it is not
    if (g[x].reads && g[x].source == e && g[x].slot == event.slot) return false;
  return is_last_before(event.slot, e, event.write_stamp, w);
}

// Is no write behind this one in mo that was there by then, or is in w's prefix?
bool Trust::is_last_before(ObjectSlot slot, EventId write, Stamp stamp, EventId w) {
  const ExecutionGraph& g = graph();
  const auto mo = g.mo(slot);
  for (std::size_t i = g.place_of(write); i < mo.size(); ++i)
    if (mo[i] != w && (g[mo[i]].write_stamp <= stamp || g.in_prefix(mo[i], w))) return false;
  return true;
}

ObjectSlot Trust::slot_of(ObjectId object) {
  const auto [known, added] = slots_.try_emplace(object.value, static_cast<ObjectSlot>(slots_.size()));
  if (added) met_.push_back(false);
  return known->second;
}

// What C++ allows and no graph has.
explore::Account Trust::account() const {
  if (load_buffering_.empty()) return {};
  const auto kind = trace::AssumptionKind::kNoLoadBuffering;
  return {.assumptions = {{kind, text_of(kind), load_buffering_}}};
}

}  // namespace heddle::graph
