// `trust` against brute force over graphs (graph_enumeration.h), on a litmus test run as a model; races likewise.
#pragma once

#include <cstdint>
#include <string>

#include "check/litmus.h"

namespace heddle::check {

struct GraphComparison {
  std::string difference;  // empty: the same graphs, each once, ending in the same way
  std::uint64_t executions = 0;
  std::uint64_t complete = 0, deadlocked = 0, voided = 0;
  bool left_out = false;  // too many graphs for brute force
};

GraphComparison compare_graphs(const Litmus& litmus, trace::MemoryModel model, std::size_t most_graphs = 1'000'000);

}  // namespace heddle::check
