// The graph that an execution goes through, step by step: its steps' choices say which store each read, and where in
// the modification order a write has its place.
#pragma once

#include <unordered_map>

#include "graph/execution_graph.h"
#include "trace/execution.h"

namespace heddle::graph {

class StepGraph {
 public:
  void clear();
  EventId add(const Step& step);
  // The last event goes.
  void take_back() { graph_.cut_to(graph_.size() - 1); }

  ExecutionGraph& graph() { return graph_; }
  const ExecutionGraph& graph() const { return graph_; }

 private:
  ExecutionGraph graph_;
  std::unordered_map<std::uint32_t, ObjectSlot> slots_;
};

ExecutionGraph graph_of(const Execution& execution);

}  // namespace heddle::graph
