// Where each thread may be when nothing more happens, and whether it exists at all: what the searches in a finished
// unfolding (for deadlocks, for whole executions) put markings together from.
#pragma once

#include <functional>
#include <vector>

#include "unfold/concurrency.h"
#include "unfold/unfolding.h"

namespace heddle::unfold {

using Judge = std::function<bool(Past)>;  // do inputs exist that lead through all branches of a past?

// Whatever an idle thread waits for, that others are stuck is not its doing.
inline bool ends(Status status) { return status == Status::kEnded || status == Status::kIdle; }

struct ThreadEnds {
  explicit ThreadEnds(const Unfolding& unfolding);

  // Is the thread there after the events of `past`?
  bool exists(const Unfolding& unfolding, Past past, std::size_t thread) const;

  // By thread.
  std::vector<std::vector<ConditionId>> ended, stopped, first;
  std::vector<std::vector<ConditionId>> stuck;  // if nobody helps
};

// Those candidates that can be marked together with all that is chosen (by thread), whose common past is `past`.
std::vector<ConditionId> fitting(const Unfolding& unfolding, Concurrency& concurrency,
                                 const std::vector<ConditionId>& chosen, Past past,
                                 const std::vector<ConditionId>& candidates);

}  // namespace heddle::unfold
