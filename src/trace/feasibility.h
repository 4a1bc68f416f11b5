// Can these branches all turn out as they did? Whoever makes branch steps knows; an algorithm that puts steps of
// different executions together must ask (explore/concolic.h).
#pragma once

#include <span>

#include "trace/operation.h"

namespace heddle::trace {

class Feasibility {
 public:
  virtual ~Feasibility() = default;
  // Are there inputs that lead to the outcomes of all branches among the steps? Other steps do not count.
  virtual bool feasible(std::span<const Step* const> steps) = 0;
};

}  // namespace heddle::trace
