// The axioms of memory models, written out: relations over events as bit matrices, composed as the texts compose them.
// Slow and plain on purpose, the twin of graph/consistency.h.
//
//   sc      po | rf | mo | fr is acyclic
//   tso     x86: per location po | rf | mo | fr is acyclic; and acyclic is the union of po without store -> later load
//           (unless a full barrier is there: a sequentially consistent store or fence, a read-modify-write or the
//           attempt at one, which is a locked instruction too), of rf between threads, mo and fr
//   c++20   [intro.races] and [atomics.order] of ISO C++20, and po | rf is acyclic (no load buffering):
//             hb = (sb | sw | asw)+, coherence: hb;eco? irreflexive, a read-modify-write reads its predecessor in mo,
//             and an order S of the sequentially consistent operations exists
//
// A read-modify-write is one event, as in the standard.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "trace/memory_order.h"

namespace heddle::check {

enum class MemoryEventKind : std::uint8_t { kInit, kRead, kWrite, kUpdate, kFence, kOther };

struct MemoryEvent {
  MemoryEventKind kind = MemoryEventKind::kOther;
  trace::MemoryOrder order = trace::MemoryOrder::kSeqCst;
  bool sync = false;    // of a lock: atomic, but no sequentially consistent operation
  bool failed = false;  // it would have been a read-modify-write
  int thread = -1;      // -1: an initial value
  int index = 0;        // within its thread
  int location = -1;
  int source = -1;           // rf: the event read from
  std::vector<int> after{};  // events of other threads that happen before it: the end of a thread that it joins

  bool reads() const { return kind == MemoryEventKind::kRead || kind == MemoryEventKind::kUpdate; }
  bool writes() const {
    return kind == MemoryEventKind::kWrite || kind == MemoryEventKind::kUpdate || kind == MemoryEventKind::kInit;
  }
};

struct MemoryGraph {
  std::vector<MemoryEvent> events;   // in an order in which po | rf goes forward
  std::vector<std::vector<int>> mo;  // by location: its writes, the initial one first
};

inline constexpr int kMostMemoryEvents = 64;

// A relation over the events of a graph.
class Relation {
 public:
  explicit Relation(std::size_t size) : rows_(size, 0) {}
  std::size_t size() const { return rows_.size(); }
  void add(int a, int b) { rows_[static_cast<std::size_t>(a)] |= 1ull << b; }
  bool has(int a, int b) const { return (rows_[static_cast<std::size_t>(a)] >> b) & 1; }
  Relation operator|(const Relation& other) const;
  Relation operator*(const Relation& other) const;  // composition
  Relation optional() const;                        // or equal
  Relation closure() const;                         // transitive
  bool irreflexive() const;
  bool acyclic() const { return closure().irreflexive(); }

 private:
  std::vector<std::uint64_t> rows_;
};

bool is_consistent(const MemoryGraph& graph, trace::MemoryModel model);

// Two accesses of different threads to one location, one of them a write and one of them plain, that hb does not order?
// Happens-before is that of the model's graphs under the rules of C++.
bool has_race(const MemoryGraph& graph);

}  // namespace heddle::check
