// Which searches are over the execution graphs of a memory model: those that are about nothing else, and samples of
// what a weaker model than sequential consistency allows.
#pragma once

#include "explore/algorithms.h"

namespace heddle::explore {

inline bool explores_graphs(const StrategyOptions& o) {
  return family_of(o.algorithm) == Family::kGraphs || o.memory.value_or(MemoryModel::kSc) != MemoryModel::kSc;
}

// The tail that a sampling algorithm draws executions with, if it can draw stores as well (graph/graph_sampling.h).
inline std::optional<TailKind> tail_for_graphs(Algorithm algorithm) {
  switch (algorithm) {
    case Algorithm::kRandom:
      return TailKind::kRandom;
    case Algorithm::kPct:
      return TailKind::kPct;
    case Algorithm::kPos:
      return TailKind::kPos;
    default:
      return std::nullopt;
  }
}

}  // namespace heddle::explore
