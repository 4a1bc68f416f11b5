// A compare-and-swap under a memory model. It has two memory orders, one if it swaps and one if it does not, and the
// step has that of what happened. Who wants to know whether it could have happened otherwise needs the other one: it is
// kept among the step's alternatives, of which it has none.
//
// Which of the two counts may turn out only when it is run, as it may read what has not been computed yet. If only one
// of them leads to an execution that the model allows, the decision says which, beside how many stores are newer than
// the one that it reads; where it turns out otherwise, nobody has asked for the execution (Execution::unwanted).
#pragma once

#include "trace/execution.h"
#include "trace/schedule.h"

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

inline constexpr std::uint16_t kIfItSwaps = 0x8000, kIfItDoesNot = 0x4000;  // in the choice of a decision
inline constexpr std::uint16_t kNewerStores = 0x3fff;
static_assert((kAnyChoice & kNewerStores) != 0);

// Has a step turned out as the decision wants it?
inline bool is_as_wanted(std::uint16_t choice, OpKind kind) {
  if (choice == kAnyChoice || (choice & ~kNewerStores) == 0) return true;
  return (choice & (kind == OpKind::kCas ? kIfItSwaps : kIfItDoesNot)) != 0;
}
inline std::uint16_t newer_stores(std::uint16_t choice) {
  return choice == kAnyChoice ? choice : choice & kNewerStores;
}

}  // namespace heddle::trace
