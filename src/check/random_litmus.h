// Random litmus tests: 2 to 4 threads, 1 to 3 locations, every kind of access and order, fences, branches. The same
// seed gives the same test.
#pragma once

#include "check/litmus.h"

namespace heddle::check {

struct RandomLitmus {
  bool locks = false;  // and joins, choices, assumptions
};

Litmus random_litmus(std::uint64_t seed, const RandomLitmus& options = {});

}  // namespace heddle::check
