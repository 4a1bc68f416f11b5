#include "unfold/deadlock_search.h"

namespace heddle::unfold {

std::uint64_t deadlock_signature(std::span<const ConditionId> blocked) {
  std::uint64_t sum = 1;
  for (const ConditionId c : blocked) sum += mix(c.value);
  return sum;
}

}  // namespace heddle::unfold
