// All execution graphs of a litmus test under a memory model, by brute force: graphs are grown event by event, every
// thread's next event in every order, a read from every write that is there, a write in every place of mo, and judged
// by the axioms (memory_axioms.h). Graphs that were met before are not grown again. That reaches every consistent graph
// in which po | rf is acyclic, as leaving out an event that nothing depends on leaves a consistent graph.
#pragma once

#include <map>
#include <set>
#include <string>

#include "check/litmus.h"
#include "check/memory_axioms.h"

namespace heddle::check {

enum class GraphEnd : std::uint8_t {
  kComplete,
  kDeadlock,  // somebody waits for a lock or for a thread
  kVoid,      // an assumption does not hold
};

struct GraphEnumeration {
  // What a graph is, whatever the order in which it was grown: the events of each thread with what they read from, and
  // the modification orders (graph_text() below); and how it ends.
  std::map<std::string, GraphEnd> ends;
  std::set<std::string> racy;  // of these
  bool too_many = false;       // given up

  std::size_t count(GraphEnd end) const;
};

GraphEnumeration enumerate_graphs(const Litmus& litmus, trace::MemoryModel model, std::size_t most_graphs = 1'000'000);

// The name of an event: its thread and its number there, or its location if it is an initial value.
struct EventName {
  int thread = -1, index = 0;
};
// An event in the text of a graph. Whoever compares graphs of another origin writes them with the same function.
struct GraphLine {
  EventName name;
  bool reads = false, writes = false;
  EventName source{};
  int alternative = -1;  // of a choice
};
// Lines in any order; `mo` by location, without the initial values.
std::string graph_text(std::vector<GraphLine> lines, const std::vector<std::vector<EventName>>& mo);

}  // namespace heddle::check
