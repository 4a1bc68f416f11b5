// Which threads come to their end by nothing but joins after which they look at nothing: from the first of these on
// they are idle. What they do then is the same whatever the others did, and none of it matters to anybody.
#pragma once

#include <vector>

#include "trace/execution.h"

namespace heddle::trace {

inline constexpr std::size_t kNotIdle = ~std::size_t{0};

// By thread: the step from which on it is idle, kNotIdle if it never is. `tries`: joins that were only tried are joins,
// too.
void find_idle_joins(const Execution& execution, bool tries, std::vector<std::size_t>& idle_from);

}  // namespace heddle::trace
