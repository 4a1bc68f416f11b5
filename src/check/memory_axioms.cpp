#include "check/memory_axioms.h"

#include "base/assert.h"

namespace heddle::check {

using trace::MemoryModel;
using trace::MemoryOrder;

Relation Relation::operator|(const Relation& other) const {
  Relation r = *this;
  for (std::size_t i = 0; i < rows_.size(); ++i) r.rows_[i] |= other.rows_[i];
  return r;
}

Relation Relation::operator*(const Relation& other) const {
  Relation r(size());
  for (std::size_t i = 0; i < rows_.size(); ++i)
    for (std::uint64_t w = rows_[i]; w; w &= w - 1)
      r.rows_[i] |= other.rows_[static_cast<std::size_t>(std::countr_zero(w))];
  return r;
}

Relation Relation::optional() const {
  Relation r = *this;
  for (std::size_t i = 0; i < rows_.size(); ++i) r.rows_[i] |= 1ull << i;
  return r;
}

Relation Relation::closure() const {
  Relation r = *this;
  for (std::size_t k = 0; k < rows_.size(); ++k)
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if ((r.rows_[i] >> k) & 1) r.rows_[i] |= r.rows_[k];
  return r;
}

bool Relation::irreflexive() const {
  for (std::size_t i = 0; i < rows_.size(); ++i)
    if ((rows_[i] >> i) & 1) return false;
  return true;
}

namespace {

// The relations that all models speak of.
struct Basics {
  explicit Basics(const MemoryGraph& g);

  template <class Filter>
  Relation where(const Relation& r, Filter&& filter) const {
    Relation kept(r.size());
    for (int a = 0; a < n; ++a)
      for (int b = 0; b < n; ++b)
        if (r.has(a, b) && filter(event(a), event(b))) kept.add(a, b);
    return kept;
  }
  // [S]: the events of a set, each related to itself.
  template <class Set>
  Relation identity(Set&& set) const {
    Relation r(graph.events.size());
    for (int a = 0; a < n; ++a)
      if (set(event(a))) r.add(a, a);
    return r;
  }
  const MemoryEvent& event(int e) const { return graph.events[static_cast<std::size_t>(e)]; }

  const MemoryGraph& graph;
  int n;
  Relation po;   // initial values come before everything
  Relation asw;  // the end of a thread, and who joins it
  Relation rf, mo, fr;
};

Basics::Basics(const MemoryGraph& g)
    : graph(g),
      n(static_cast<int>(g.events.size())),
      po(g.events.size()),
      asw(g.events.size()),
      rf(g.events.size()),
      mo(g.events.size()),
      fr(g.events.size()) {
  REQUIRE(n <= kMostMemoryEvents);
  for (int b = 0; b < n; ++b) {
    for (int a = 0; a < n; ++a) {
      const bool initial = event(a).thread < 0 && event(b).thread >= 0;
      if (initial || (event(a).thread >= 0 && event(a).thread == event(b).thread && event(a).index < event(b).index))
        po.add(a, b);
    }
    if (event(b).reads()) rf.add(event(b).source, b);
    for (const int a : event(b).after) asw.add(a, b);
  }
  for (const std::vector<int>& writes : graph.mo)
    for (std::size_t i = 0; i < writes.size(); ++i)
      for (std::size_t j = i + 1; j < writes.size(); ++j) mo.add(writes[i], writes[j]);
  // fr = rf^-1 ; mo, without a read-modify-write before itself.
  for (int r = 0; r < n; ++r)
    for (int w = 0; w < n; ++w)
      if (event(r).reads() && w != r && mo.has(event(r).source, w)) fr.add(r, w);
}

bool sc_consistent(const Basics& b) { return (b.po | b.asw | b.rf | b.mo | b.fr).acyclic(); }

bool is_atomic(const MemoryEvent& e) { return e.order != MemoryOrder::kPlain; }

// The compiler makes a locked instruction, or a move with a fence, of these.
bool is_barrier(const MemoryEvent& e) {
  const bool strong = e.order == MemoryOrder::kSeqCst && !e.sync;
  return e.kind == MemoryEventKind::kUpdate || e.failed || (e.kind == MemoryEventKind::kFence && strong);
}

bool tso_consistent(const Basics& b) {
  const auto one_location = [](const MemoryEvent& x, const MemoryEvent& y) {
    return x.location >= 0 && x.location == y.location;
  };
  if (!(b.where(b.po, one_location) | b.rf | b.mo | b.fr).acyclic()) return false;
  const auto is_kept = [](const MemoryEvent& x, const MemoryEvent& y) {
    const bool access = x.location >= 0 && y.location >= 0;
    const bool delayed = x.kind == MemoryEventKind::kWrite && x.order != MemoryOrder::kSeqCst && !x.sync;
    return access && !(delayed && y.kind == MemoryEventKind::kRead);
  };
  const Relation barrier = b.identity(is_barrier);
  const auto external = [](const MemoryEvent& x, const MemoryEvent& y) { return x.thread != y.thread; };
  // Who starts and joins threads has full barriers there.
  const Relation across = b.po.optional() * b.asw * b.po.optional();
  const Relation around = (b.po * barrier) | (barrier * b.po);
  return (b.where(b.po, is_kept) | around | across | b.where(b.rf, external) | b.mo | b.fr).acyclic();
}

Relation happens_before(const Basics& b) {
  const auto is_fence = [](const MemoryEvent& e) { return e.kind == MemoryEventKind::kFence; };
  const Relation fence = b.identity(is_fence);
  const Relation release = b.identity([](const MemoryEvent& e) {
    return trace::releases(e.order) && (e.writes() || e.kind == MemoryEventKind::kFence) && e.thread >= 0;
  });
  const Relation acquire = b.identity([](const MemoryEvent& e) {
    return trace::acquires(e.order) && (e.reads() || e.kind == MemoryEventKind::kFence);
  });
  const Relation atomic_write =
      b.identity([](const MemoryEvent& e) { return e.writes() && e.thread >= 0 && is_atomic(e); });
  const Relation atomic_read = b.identity([](const MemoryEvent& e) { return e.reads() && is_atomic(e); });
  const Relation update = b.identity([](const MemoryEvent& e) { return e.kind == MemoryEventKind::kUpdate; });
  const Relation same = b.identity([](const MemoryEvent&) { return true; });
  // The release sequence headed by a write: read-modify-writes that continue it, of any thread.
  const Relation sequence = atomic_write * (same | (b.rf * update).closure());
  const Relation from = release * (same | (fence * b.po));
  const Relation to = (same | (b.po * fence)) * acquire;
  const Relation sw = from * sequence * b.rf * atomic_read * to;
  return (b.po | b.asw | sw).closure();
}

// [atomics.order] 4. "Synchronizes with" between a fence and another sequentially consistent operation is in S anyway,
// by coherence; so of what strongly happens before only that between accesses is needed.
bool has_order_of_sc_operations(const Basics& b, const Relation& hb, const Relation& eco) {
  const auto is_sc = [](const MemoryEvent& e) { return e.order == MemoryOrder::kSeqCst && !e.sync && e.thread >= 0; };
  const Relation sc = b.identity([&](const MemoryEvent& e) { return is_sc(e) && e.kind != MemoryEventKind::kOther; });
  const auto is_sc_fence = [&](const MemoryEvent& e) { return is_sc(e) && e.kind == MemoryEventKind::kFence; };
  const Relation fence = b.identity(is_sc_fence);
  const Relation sc_access = b.identity([&](const MemoryEvent& e) { return is_sc(e) && (e.reads() || e.writes()); });
  const Relation sb = b.po | b.asw;
  const Relation update = b.identity([](const MemoryEvent& e) { return e.kind == MemoryEventKind::kUpdate; });
  const Relation synchronized = sc_access * ((b.rf * update).closure() * b.rf | b.rf) * sc_access;
  const Relation strongly = (sb | synchronized | (sb * hb * sb)).closure();
  const Relation same = b.identity([](const MemoryEvent&) { return true; });
  const Relation before = sc * (same | (fence * hb));
  const Relation after = (same | (hb * fence)) * sc;
  return ((sc * strongly * sc) | (before * eco * after)).acyclic();
}

bool cpp20_consistent(const Basics& b) {
  if (!(b.po | b.asw | b.rf).acyclic()) return false;
  const Relation hb = happens_before(b);
  const Relation eco = (b.rf | b.mo | b.fr).closure();
  if (!hb.irreflexive() || !(hb * eco).irreflexive() || !eco.irreflexive()) return false;
  return has_order_of_sc_operations(b, hb, eco);
}

}  // namespace

bool is_consistent(const MemoryGraph& graph, MemoryModel model) {
  const Basics basics(graph);
  switch (model) {
    case MemoryModel::kSc:
      return sc_consistent(basics);
    case MemoryModel::kTso:
      return tso_consistent(basics);
    case MemoryModel::kCpp20:
      return cpp20_consistent(basics);
  }
  return false;
}

bool has_race(const MemoryGraph& graph) {
  const Basics basics(graph);
  const Relation hb = happens_before(basics);
  for (int x = 0; x < basics.n; ++x) {
    for (int y = 0; y < x; ++y) {
      const MemoryEvent& a = basics.event(x);
      const MemoryEvent& c = basics.event(y);
      if (a.location < 0 || a.location != c.location || a.thread == c.thread || a.thread < 0 || c.thread < 0) continue;
      const bool conflict = a.writes() || c.writes();
      if (conflict && (!is_atomic(a) || !is_atomic(c)) && !hb.has(x, y) && !hb.has(y, x)) return true;
    }
  }
  return false;
}

}  // namespace heddle::check
