#include "graph/graph_sampling.h"

#include <algorithm>

#include "trace/object.h"

namespace heddle::graph {

bool GraphSampling::next(Schedule& schedule) {
  schedule.steps = decided_;
  schedule.fresh = decided_.empty() ? 0 : decided_.size() - 1;
  schedule.sleep.clear();
  schedule.tail = tail_;
  schedule.tail.seed = combine(tail_.seed, drawn_++);
  return true;
}

void GraphSampling::learn(const Execution& execution) {
  longest_ = std::max(longest_, execution.steps.size());
  tail_.length = static_cast<std::uint32_t>(longest_);  // PCT draws its change points from it
  if (decided_.empty()) steps_.clear();
  for (std::size_t i = steps_.graph().size(); i < execution.steps.size(); ++i) {
    const Step& step = execution.steps[i];
    const EventId e = steps_.add(step);
    std::uint16_t choice = 0;
    const bool drawn_before = i < decided_.size();
    if (drawn_before || !draws_another(e, choice)) continue;
    steps_.take_back();
    for (std::size_t k = decided_.size(); k < i; ++k)
      decided_.push_back({execution.steps[k].thread, execution.steps[k].choice});
    decided_.push_back({step.thread, choice});
    return;
  }
  decided_.clear();
}

// The event is the last one. Another store than the newest, or another place than the last, if the coin says so.
bool GraphSampling::draws_another(EventId e, std::uint16_t& choice) {
  ExecutionGraph& g = steps_.graph();
  const Event event = g[e];
  const bool free = event.slot != kNoSlot && !is_link(event.op.kind) && !has_alternatives(event.op.kind);
  if (!free || random_.below(2) == 0) return false;
  if (event.writes) g.remove_from_mo(e);
  const EventId newest = g.last_write(event.slot);
  std::vector<EventId> older(g.mo(event.slot).begin(), g.mo(event.slot).end());
  if (!older.empty()) older.back() = kInitial;  // all but the newest, and the first value
  std::erase_if(older, [&](EventId predecessor) { return !may_be(e, predecessor); });
  if (older.empty()) {
    g[e] = event;
    if (event.reads) g.set_source(e, newest);
    if (event.writes) g.set_place(e, newest);
    return false;
  }
  const EventId drawn = older[random_.below(older.size())];
  choice = static_cast<std::uint16_t>(g.mo(event.slot).size() - g.place_of(drawn));
  g[e].writes = false;  // it is taken back
  return true;
}

// Does the model allow that it reads from there, or is written right behind it?
bool GraphSampling::may_be(EventId e, EventId predecessor) {
  ExecutionGraph& g = steps_.graph();
  if (!g[e].reads) {
    g.set_place(e, predecessor);
    const bool may = checker_.is_consistent(g, {e});
    g.remove_from_mo(e);
    return may;
  }
  const bool writes = would_write(g[e], g.value_of(predecessor, g[e].slot));
  if (writes && g.follower_of(predecessor, e) != kInitial) return false;
  g[e].writes = false;  // its place would be right behind its source, which the models allow if they allow the read
  g[e].order = order_if(g[e], writes);
  g.set_source(e, predecessor);
  return checker_.is_consistent(g, {e});
}

}  // namespace heddle::graph
