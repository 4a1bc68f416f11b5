// The C++20 part of consistency.h: coherence, and the order S of [atomics.order].
//
// S must have A before B, for sequentially consistent A and B, if A strongly happens before B, or if A or an event that
// happens after the fence A is coherence-ordered before B or an event that happens before the fence B. So of each
// sequentially consistent event it is enough to know, per object, the lowest position that it is before and the highest
// that it is after.
//
// What strongly happens before an event is a set closed under program order, a clock: what is sequenced before it; what
// is sequenced before something that happens before its predecessor; and what strongly happens before these, or before
// the sequentially consistent write that a sequentially consistent read synchronizes with.
#include <algorithm>

#include "base/assert.h"
#include "graph/consistency.h"

namespace heddle::graph {

void ConsistencyChecker::join(std::uint32_t* to, const std::uint32_t* from) const {
  for (std::size_t t = 0; t < stride_; ++t) to[t] = std::max(to[t], from[t]);
}

bool ConsistencyChecker::has_cpp20_order(std::initializer_list<EventId> touched) {
  for (const EventId e : touched) {
    if (is_coherent_at(e)) continue;
    return false;
  }
  SLOW_INVARIANT(is_coherent());
  return has_order_of_sc_events();
}

// What is sequenced before an event, and what starting and joining threads adds to that.
void ConsistencyChecker::compute_sequenced_before() {
  const ExecutionGraph& g = *graph_;
  stride_ = g.threads();
  sb_.assign(g.size() * stride_, 0);
  for (const EventId e : order_) {
    const Event& event = g[e];
    const std::size_t t = event.thread.index();
    std::uint32_t* const sb = row(sb_, e);
    if (event.index > 0) join(sb, row(sb_, g.thread(t)[event.index - 1]));
    g.edges_into(e, before_);
    for (const EventId x : before_)
      if (g.synchronizes(x, e)) join(sb, row(sb_, x));
    sb[t] = event.index + 1;
  }
}

std::optional<std::pair<EventId, EventId>> ConsistencyChecker::find_race(const ExecutionGraph& graph) {
  for (EventId b = 0; b < graph.size(); ++b) {
    if (graph[b].slot == kNoSlot) continue;
    for (EventId a = 0; a < b; ++a) {
      const bool plain = order_of(graph[a]) == MemoryOrder::kPlain || order_of(graph[b]) == MemoryOrder::kPlain;
      const bool conflict = graph[a].slot == graph[b].slot && (graph[a].writes || graph[b].writes);
      if (plain && conflict && !graph.happens_before(a, b) && !graph.happens_before(b, a)) return std::pair(a, b);
    }
  }
  return std::nullopt;
}

std::optional<std::pair<EventId, EventId>> ConsistencyChecker::find_load_buffering(const ExecutionGraph& graph,
                                                                                   EventId first, EventId changed) {
  for (EventId next = changed != kInitial ? first - 1 : first; next != graph.size(); ++next) {
    const EventId w = next + 1 == first ? changed : next;
    if (!graph[w].writes || graph[w].blocked || is_link(graph[w].op.kind)) continue;  // of memory
    for (EventId r = 0; r < graph.size(); ++r) {
      if (!graph[r].reads || graph[r].blocked || graph[r].slot != graph[w].slot) continue;
      if (graph[r].thread == graph[w].thread || !graph.in_prefix(r, w)) continue;
      if (!graph.happens_before(r, w)) return std::pair(r, w);
    }
  }
  return std::nullopt;
}

bool ConsistencyChecker::is_coherent_at(EventId b) const {
  const ExecutionGraph& g = *graph_;
  const Event& later = g[b];
  if (later.slot == kNoSlot) return true;
  // What a read-modify-write reads must not be older than what happens before it either.
  const std::uint32_t lowest = later.updates() ? position_[b] - 1 : position_[b];
  for (EventId a = 0; a < g.size(); ++a)
    if (a != b && g[a].slot == later.slot && !g[a].blocked && position_[a] > lowest && g.happens_before(a, b))
      return false;
  return true;
}

bool ConsistencyChecker::is_coherent() const {
  for (EventId b = 0; b < graph_->size(); ++b)
    if (!(*graph_)[b].blocked && !is_coherent_at(b)) return false;
  return true;
}

void ConsistencyChecker::compute_strongly_before() {
  const ExecutionGraph& g = *graph_;
  strong_.assign(g.size() * stride_, 0);
  for (const EventId e : order_) {
    const Event& event = g[e];
    const std::size_t self = event.thread.index();
    direct_.assign(stride_, 0);
    const auto sequenced_after = [&](EventId last) {
      join(direct_.data(), row(sb_, last));
      // Whatever happens before `last`, and what is sequenced before that.
      const auto hb = g.clock(last, ExecutionGraph::Clock::kHappensBefore);
      for (std::size_t t = 0; t < stride_; ++t) {
        if (hb[t] == 0) continue;
        const EventId c = g.thread(t)[hb[t] - 1];
        if (c == last) continue;
        sequenced_.assign(row(sb_, c), row(sb_, c) + stride_);
        --sequenced_[t];
        join(direct_.data(), sequenced_.data());
      }
    };
    if (event.index > 0) sequenced_after(g.thread(self)[event.index - 1]);
    g.edges_into(e, before_);
    for (const EventId x : before_)
      if (g.synchronizes(x, e)) sequenced_after(x);
    std::uint32_t* const strong = row(strong_, e);
    if (event.reads && is_sequentially_consistent(event)) {
      for (EventId w = event.source; w != kInitial;) {
        if (is_sequentially_consistent(g[w])) {
          join(strong, row(strong_, w));
          strong[g[w].thread.index()] = std::max(strong[g[w].thread.index()], g[w].index + 1);
        }
        w = g[w].updates() ? g[w].source : kInitial;
      }
    }
    for (std::size_t t = 0; t < stride_; ++t)
      if (direct_[t] > 0) join(strong, row(strong_, g.thread(t)[direct_[t] - 1]));
    join(strong, direct_.data());
  }
}

bool ConsistencyChecker::has_order_of_sc_events() {
  const ExecutionGraph& g = *graph_;
  sc_events_.clear();
  for (EventId e = 0; e < g.size(); ++e)
    if (!g[e].blocked && is_sequentially_consistent(g[e])) sc_events_.push_back(e);
  if (sc_events_.size() < 2) return true;
  g.linearize(order_);
  compute_sequenced_before();
  compute_strongly_before();
  const std::size_t n = sc_events_.size(), objects = g.objects();
  lowest_.assign(n * objects, kNowhere);
  highest_.assign(n * objects, 0);
  for (std::size_t i = 0; i < n; ++i) {
    const EventId s = sc_events_[i];
    const bool fence = g[s].op.kind == OpKind::kFence;
    for (const EventId x : order_) {
      if (g[x].slot == kNoSlot || (!fence && x != s)) continue;
      const std::size_t at = i * objects + g[x].slot;
      if (x == s || g.happens_before(s, x)) lowest_[at] = std::min(lowest_[at], position_[x]);
      if (x == s || g.happens_before(x, s)) highest_[at] = std::max(highest_[at], position_[x]);
    }
  }
  begin_edges(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      if (i == j) continue;
      const Event& a = g[sc_events_[i]];
      bool before = row(strong_, sc_events_[j])[a.thread.index()] > a.index;
      for (std::size_t x = 0; x < objects && !before; ++x)
        before = lowest_[i * objects + x] < highest_[j * objects + x];
      if (before) add_edge(static_cast<EventId>(i), static_cast<EventId>(j));
    }
  }
  return is_sortable();
}

}  // namespace heddle::graph
