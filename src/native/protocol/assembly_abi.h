// What the pass tells the runtime about an operand of inline assembly that is in memory.
#pragma once

#include <cstdint>

namespace heddle::protocol {

enum class AssemblyAccess : std::uint32_t {
  kRead,
  kWrite,
  kUpdate,  // both at once
};

}  // namespace heddle::protocol
