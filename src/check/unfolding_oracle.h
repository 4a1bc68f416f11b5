// Holds testing by unfolding to brute force on one program.
#pragma once

#include <optional>
#include <string>

#include "check/script.h"
#include "trace/program.h"
#include "unfold/unfolding_strategy.h"

namespace heddle::check {

// Empty: the algorithm ran exactly the events (with their pasts) that occur in any interleaving, met every failure and
// ended in every deadlock, in at most one execution per class, and foresaw every event. Otherwise what was wrong.
// Nothing if the program has more than `limit` interleavings.
std::optional<std::string> unfolding_disagreement(trace::Program& program, const unfold::UnfoldingOptions& options,
                                                  std::uint64_t limit);
std::optional<std::string> unfolding_disagreement(const Script& script, const unfold::UnfoldingOptions& options,
                                                  std::uint64_t limit);

}  // namespace heddle::check
