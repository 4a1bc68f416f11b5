#include "graph/consistency.h"

#include <algorithm>

namespace heddle::graph {

bool is_sequentially_consistent(const Event& event) { return order_of(event) == MemoryOrder::kSeqCst; }

bool ConsistencyChecker::is_consistent(const ExecutionGraph& graph, std::initializer_list<EventId> touched) {
  prepare(graph);
  if (!is_atomic()) return false;
  switch (model_) {
    case MemoryModel::kSc:
      return has_sc_order();
    case MemoryModel::kTso:
      return has_tso_order();
    case MemoryModel::kCpp20:
      return has_cpp20_order(touched);
  }
  return false;
}

void ConsistencyChecker::prepare(const ExecutionGraph& graph) {
  graph_ = &graph;
  position_.assign(graph.size(), kNowhere);
  for (ObjectSlot slot = 0; slot < graph.objects(); ++slot) {
    const auto mo = graph.mo(slot);
    for (std::size_t i = 0; i < mo.size(); ++i) position_[mo[i]] = static_cast<std::uint32_t>(2 * (i + 1));
  }
  for (EventId e = 0; e < graph.size(); ++e) {
    const Event& event = graph[e];
    if (event.blocked || !event.reads || position_[e] != kNowhere) continue;
    position_[e] = event.source == kInitial ? 1 : position_[event.source] + 1;
  }
}

bool ConsistencyChecker::is_atomic() const {
  for (EventId e = 0; e < graph_->size(); ++e) {
    const Event& event = (*graph_)[e];
    if (event.blocked || !event.updates() || position_[e] % 2 != 0) continue;
    const std::uint32_t source = event.source == kInitial ? 0 : position_[event.source];
    if (position_[e] != source + 2) return false;
  }
  return true;
}

// rf, mo to the next write, fr to the next write.
void ConsistencyChecker::add_communication(bool external_only) {
  const ExecutionGraph& g = *graph_;
  for (EventId e = 0; e < g.size(); ++e) {
    const Event& event = g[e];
    if (event.blocked || event.slot == kNoSlot) continue;
    if (event.reads && event.source != kInitial && (!external_only || g[event.source].thread != event.thread))
      add_edge(event.source, e);
    const std::size_t next = position_[e] / 2;  // of the write behind the one at this place, or behind what is read
    if (next < g.mo(event.slot).size()) add_edge(e, g.mo(event.slot)[next]);
  }
}

bool ConsistencyChecker::has_sc_order() {
  const ExecutionGraph& g = *graph_;
  begin_edges(g.size());
  add_communication(false);
  for (EventId e = 0; e < g.size(); ++e) {
    if (g[e].blocked) continue;
    if (g[e].index > 0) add_edge(g.thread(g[e].thread.index())[g[e].index - 1], e);
    g.edges_into(e, before_);
    for (const EventId x : before_) add_edge(x, e);
  }
  return is_sortable();
}

void ConsistencyChecker::begin_edges(std::size_t nodes) {
  nodes_ = nodes;
  if (edges_.size() < nodes) edges_.resize(nodes);
  for (std::size_t i = 0; i < nodes; ++i) edges_[i].clear();
}

bool ConsistencyChecker::is_sortable() {
  missing_.assign(nodes_, 0);
  for (std::size_t i = 0; i < nodes_; ++i)
    for (const EventId e : edges_[i]) ++missing_[e];
  order_.clear();
  for (EventId e = 0; e < nodes_; ++e)
    if (missing_[e] == 0) order_.push_back(e);
  for (std::size_t i = 0; i < order_.size(); ++i)
    for (const EventId e : edges_[order_[i]])
      if (--missing_[e] == 0) order_.push_back(e);
  return order_.size() == nodes_;
}

// Along a thread, positions in one object do not fall, and a write is behind whatever its thread has seen.
bool ConsistencyChecker::is_coherent_along_threads() const {
  const ExecutionGraph& g = *graph_;
  std::vector<std::uint32_t> seen(g.objects());
  for (std::size_t t = 0; t < g.threads(); ++t) {
    std::fill(seen.begin(), seen.end(), 0);
    for (const EventId e : g.thread(t)) {
      if (g[e].blocked || g[e].slot == kNoSlot) continue;
      std::uint32_t& last = seen[g[e].slot];
      if (g[e].writes && g[e].reads ? position_[e] - 1 < last : position_[e] < last) return false;
      last = std::max(last, position_[e]);
    }
  }
  return true;
}

bool ConsistencyChecker::has_tso_order() {
  const ExecutionGraph& g = *graph_;
  if (!is_coherent_along_threads()) return false;
  begin_edges(g.size());
  add_communication(true);
  for (std::size_t t = 0; t < g.threads(); ++t) {
    EventId seen = kInitial;    // the last load, or whatever everything later waits for
    EventId stored = kInitial;  // the last store that may be delayed
    for (const EventId e : g.thread(t)) {
      const Event& event = g[e];
      if (event.blocked) continue;
      g.edges_into(e, before_);
      for (const EventId x : before_) {
        add_edge(x, e);
        // Threads are started and joined with full barriers: a delayed store of the other one has been made by then.
        const auto other = g.thread(g[x].thread.index());
        for (std::size_t i = 0; i <= g[x].index; ++i) add_edge(other[i], e);
      }
      const bool strong = is_sequentially_consistent(event);
      if (event.op.kind == OpKind::kFence && !strong) continue;
      if (event.slot == kNoSlot && event.op.kind != OpKind::kFence && event.op.kind != OpKind::kSpawn &&
          event.op.kind != OpKind::kJoin)
        continue;
      if (seen != kInitial) add_edge(seen, e);
      const bool load = event.op.kind == OpKind::kRead;
      const bool store = event.op.kind == OpKind::kWrite && !strong;
      if (stored != kInitial && !load) add_edge(stored, e);
      if (store)
        stored = e;
      else
        seen = e;
    }
  }
  return is_sortable();
}

}  // namespace heddle::graph
