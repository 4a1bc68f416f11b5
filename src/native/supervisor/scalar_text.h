// Numbers from memory as a reader of the source would write them.
#pragma once

#include <cstdint>
#include <string>

#include "native/supervisor/debug_types.h"

namespace heddle::supervisor {

// Bytes beyond the variable's own are not its: an atomic operation may be wider in the trace.
std::string scalar_text(const Scalar& scalar, std::uint64_t value);

}  // namespace heddle::supervisor
