// A compare-and-swap under a memory model. It has two memory orders, one if it swaps and one if it does not, and the
// step has that of what happened. Who wants to know whether it could have happened otherwise needs the other one: it is
// kept among the step's alternatives, of which it has none.
#pragma once

#include "trace/execution.h"

namespace heddle::trace {

inline constexpr std::size_t kOtherOrders = 64;  // the first of them, as elements of the set
static_assert(SmallSet::kWords > kOtherOrders / 64);

inline void set_other_order(Step& step, MemoryOrder order) {
  step.set = SmallSet::of(kOtherOrders + static_cast<std::size_t>(order));
}
inline MemoryOrder other_order(const Step& step) {
  for (int order = 0; order < kMemoryOrders; ++order)
    if (step.set.contains(kOtherOrders + static_cast<std::size_t>(order))) return static_cast<MemoryOrder>(order);
  return step.op.order;
}

}  // namespace heddle::trace
