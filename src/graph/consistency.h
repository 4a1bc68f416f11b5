// Which graphs a memory model allows. The twin that says it in the words of the models is check/memory_axioms.h; here
// the same is looked at through immediate edges and clocks.
//
//   sc      A topological sort over the immediate edges of po, rf, mo, fr: linear.
//   tso     Coherence along each thread; then a topological sort over what x86 keeps: po but from a store to a load,
//           rf between threads, mo, fr. A read-modify-write, also one that fails, and a sequentially consistent store
//           or fence keeps everything.
//   c++20   Clocks of happens-before, which the graph has. Coherence: a read does not read, and a write is not placed,
//           before what happens before it. For the order S: a graph over the sequentially consistent events
//           (cpp20.cpp).
//
// A search asks of graphs that differ from consistent ones in an event or two, which nothing happens after: coherence
// is looked at there.
//
// Positions make one relation of rf, mo and fr: a write at place p of mo is at 2p, a read from it at 2p + 1, and one
// access is coherence-ordered before another of its object if and only if its position is lower.
#pragma once

#include <initializer_list>
#include <optional>
#include <utility>
#include <vector>

#include "graph/execution_graph.h"

namespace heddle::graph {

class ConsistencyChecker {
 public:
  explicit ConsistencyChecker(MemoryModel model) : model_(model) {}
  MemoryModel model() const { return model_; }

  // `touched`: those that have got another source or place since it was. Nothing happens after them but each other.
  bool is_consistent(const ExecutionGraph& graph, std::initializer_list<EventId> touched);
  // Conflicting accesses of which one is plain and that nothing orders, under the rules of C++: the first pair.
  std::optional<std::pair<EventId, EventId>> find_race(const ExecutionGraph& graph);
  // A read and a write of its object that depends on it, though the read does not happen before it: C++ would let it
  // read from there. The write is one of those from `first` on, or `changed`.
  std::optional<std::pair<EventId, EventId>> find_load_buffering(const ExecutionGraph& graph, EventId first,
                                                                 EventId changed);

 private:
  static constexpr std::uint32_t kNowhere = 0xffffffffu;

  void prepare(const ExecutionGraph& graph);
  bool is_atomic() const;  // read-modify-writes read their predecessor
  bool has_sc_order();
  bool has_tso_order();
  bool is_coherent_along_threads() const;
  bool is_sortable();
  void begin_edges(std::size_t nodes);
  void add_edge(EventId a, EventId b) { edges_[a].push_back(b); }
  void add_communication(bool external_only);

  // cpp20.cpp
  bool has_cpp20_order(std::initializer_list<EventId> touched);
  bool is_coherent_at(EventId b) const;
  bool is_coherent() const;  // everywhere
  bool has_order_of_sc_events();
  void compute_sequenced_before();
  void compute_strongly_before();
  std::uint32_t* row(std::vector<std::uint32_t>& clocks, EventId e) { return clocks.data() + e * stride_; }
  const std::uint32_t* row(const std::vector<std::uint32_t>& clocks, EventId e) const {
    return clocks.data() + e * stride_;
  }
  void join(std::uint32_t* to, const std::uint32_t* from) const;

  const MemoryModel model_;
  const ExecutionGraph* graph_ = nullptr;
  std::vector<std::uint32_t> position_;      // by event
  std::vector<std::vector<EventId>> edges_;  // to be sorted; storage is kept
  std::size_t nodes_ = 0;                    // of these, as many
  std::vector<std::uint32_t> missing_;       // by node
  std::vector<EventId> order_;               // along porf
  std::vector<EventId> before_;
  std::size_t stride_ = 0;
  std::vector<std::uint32_t> sb_, strong_;  // clocks, by event
  std::vector<EventId> sc_events_;
  std::vector<std::uint32_t> direct_, sequenced_;  // clocks
  std::vector<std::uint32_t> lowest_, highest_;    // positions, by sequentially consistent event and object
};

bool is_sequentially_consistent(const Event& event);

}  // namespace heddle::graph
