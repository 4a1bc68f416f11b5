// The C++20 part of consistency.h: happens-before by clocks, coherence, and the order S of [atomics.order].
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

#include "graph/consistency.h"

namespace heddle::graph {

void ConsistencyChecker::join(std::uint32_t* to, const std::uint32_t* from) const {
  for (std::size_t t = 0; t < stride_; ++t) to[t] = std::max(to[t], from[t]);
}

bool ConsistencyChecker::happens_before(EventId a, EventId b) const {
  const Event& event = (*graph_)[a];
  return row(hb_, b)[event.thread.index()] > event.index;
}

bool ConsistencyChecker::has_cpp20_order() {
  compute_happens_before();
  return is_coherent() && has_order_of_sc_events();
}

void ConsistencyChecker::compute_happens_before() {
  const ExecutionGraph& g = *graph_;
  g.linearize(order_);
  stride_ = g.threads();
  for (std::vector<std::uint32_t>* clocks : {&hb_, &release_, &sb_}) clocks->assign(g.size() * stride_, 0);
  // Per thread: what an acquire fence would bring in, and what the last release fence gives to later writes.
  acquirable_.assign(stride_ * stride_, 0);
  fenced_.assign(stride_ * stride_, 0);
  for (const EventId e : order_) {
    const Event& event = g[e];
    const std::size_t t = event.thread.index();
    const MemoryOrder order = order_of(event);
    std::uint32_t* const hb = row(hb_, e);
    std::uint32_t* const sb = row(sb_, e);
    std::uint32_t* const pending = acquirable_.data() + t * stride_;
    std::uint32_t* const fence = fenced_.data() + t * stride_;
    if (event.index > 0) {
      const EventId last = g.thread(t)[event.index - 1];
      join(hb, row(hb_, last));
      join(sb, row(sb_, last));
    }
    g.edges_into(e, before_);
    for (const EventId x : before_) {
      if (!g.synchronizes(x, e)) continue;
      join(hb, row(hb_, x));
      join(sb, row(sb_, x));
    }
    if (event.reads && event.source != kInitial && order != MemoryOrder::kPlain) {
      join(acquires(order) ? hb : pending, row(release_, event.source));
    }
    if (event.op.kind == OpKind::kFence && acquires(order)) join(hb, pending);
    hb[t] = sb[t] = event.index + 1;
    if (event.op.kind == OpKind::kFence && releases(order)) std::copy_n(hb, stride_, fence);
    if (!event.writes || order == MemoryOrder::kPlain) continue;
    std::uint32_t* const release = row(release_, e);
    std::copy_n(releases(order) ? hb : fence, stride_, release);
    if (event.reads && event.source != kInitial) join(release, row(release_, event.source));
  }
}

std::optional<std::pair<EventId, EventId>> ConsistencyChecker::find_race(const ExecutionGraph& graph) {
  prepare(graph);
  compute_happens_before();
  for (EventId b = 0; b < graph.size(); ++b) {
    if (graph[b].slot == kNoSlot) continue;
    for (EventId a = 0; a < b; ++a) {
      const bool plain = order_of(graph[a]) == MemoryOrder::kPlain || order_of(graph[b]) == MemoryOrder::kPlain;
      const bool conflict = graph[a].slot == graph[b].slot && (graph[a].writes || graph[b].writes);
      if (plain && conflict && !happens_before(a, b) && !happens_before(b, a)) return std::pair(a, b);
    }
  }
  return std::nullopt;
}

// Asked of every graph, and most have no such pair whatever happens before what.
std::optional<std::pair<EventId, EventId>> ConsistencyChecker::find_load_buffering(const ExecutionGraph& graph,
                                                                                   EventId first, EventId changed) {
  bool prepared = false;
  for (EventId next = changed != kInitial ? first - 1 : first; next != graph.size(); ++next) {
    const EventId w = next + 1 == first ? changed : next;
    if (!graph[w].writes || graph[w].blocked || is_link(graph[w].op.kind)) continue;  // of memory
    for (EventId r = 0; r < graph.size(); ++r) {
      if (!graph[r].reads || graph[r].blocked || graph[r].slot != graph[w].slot) continue;
      if (graph[r].thread == graph[w].thread || !graph.in_prefix(r, w)) continue;
      if (!prepared) {
        prepare(graph);
        compute_happens_before();
        prepared = true;
      }
      if (!happens_before(r, w)) return std::pair(r, w);
    }
  }
  return std::nullopt;
}

bool ConsistencyChecker::is_coherent() const {
  const ExecutionGraph& g = *graph_;
  for (const EventId b : order_) {
    const Event& later = g[b];
    if (later.slot == kNoSlot) continue;
    // What a read-modify-write reads must not be older than what happens before it either.
    const std::uint32_t lowest = later.updates() ? position_[b] - 1 : position_[b];
    for (const EventId a : order_)
      if (a != b && g[a].slot == later.slot && position_[a] > lowest && happens_before(a, b)) return false;
  }
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
      const std::uint32_t* const hb = row(hb_, last);
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
  for (const EventId e : order_)
    if (is_sequentially_consistent(g[e])) sc_events_.push_back(e);
  if (sc_events_.size() < 2) return true;
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
      if (x == s || happens_before(s, x)) lowest_[at] = std::min(lowest_[at], position_[x]);
      if (x == s || happens_before(x, s)) highest_[at] = std::max(highest_[at], position_[x]);
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
