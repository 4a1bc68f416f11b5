// A 64-bit name for the class of an execution: equal for executions that differ only in the order of adjacent
// independent steps. Each event is hashed with the hashes of its immediate predecessors (in its thread, on
// its object, by which it was woken), so the hash stands for its whole causal past; the class is the sum
// over all events.
#pragma once

#include <cstdint>
#include <vector>

#include "trace/execution.h"

namespace heddle::trace {

class Fingerprinter {
 public:
  std::uint64_t operator()(const Execution& execution);
  // The same, of the first `steps` steps only; `pasts` receives the hash of each event's causal past.
  std::uint64_t of_prefix(const Execution& execution, std::size_t steps, std::vector<std::uint64_t>* pasts = nullptr);

 private:
  struct ObjectPast {
    std::uint64_t write = 0;
    std::uint64_t reads = 0;  // sum: their order does not matter
    std::uint64_t epoch = 0;  // stale unless equal to epoch_, so that nothing is cleared between executions
  };
  std::vector<ObjectPast> objects_;
  std::vector<std::uint64_t> threads_;
  std::vector<std::uint64_t> wakers_;  // of threads that have not gone on since
  std::uint64_t epoch_ = 0;
};

// The same for executions under a memory model: equal for those that have one graph, in whatever order it was run. The
// sum over what makes it up: the events of each thread, which write each read reads from, and which write is next to
// which in the order of each object.
std::uint64_t fingerprint_of_graph(const Execution& execution);

}  // namespace heddle::trace
