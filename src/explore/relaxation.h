// Orders that could be weaker, in one test, without any failure (graph/relax.h). Plain data, which travels from a
// worker to the supervisor and into every report.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "trace/operation.h"

namespace heddle::explore {

using namespace trace;

struct RelaxedPlace {
  std::uint32_t where = 0;
  OpKind kind = OpKind::kRead;
  MemoryOrder own = MemoryOrder::kSeqCst;
  // The weakest order with which the test stays clean: if everything else stays as it is, and with what the places
  // above it have there. Their own: it cannot be weaker. Nothing: it was not found out.
  std::optional<MemoryOrder> alone, together;
};

struct Relaxation {
  std::vector<RelaxedPlace> places;  // atomic accesses and fences stronger than relaxed, as they are in the source
  std::uint64_t trials = 0;          // searches
  std::uint64_t executions = 0;      // in all of them
  std::string open;                  // why some were not found out; empty: all were
};

}  // namespace heddle::explore
