// A fence that the program does not have, before the atomic access at a place of the source: what it would change is
// found by running the program as if it were there (graph/strengthen.h).
#pragma once

#include <cstdint>

#include "trace/memory_order.h"

namespace heddle::trace {

struct FenceAt {
  std::uint32_t where = 0;
  MemoryOrder order = MemoryOrder::kSeqCst;
};

}  // namespace heddle::trace
