// What a thread does with data between two of its visible operations: no step, as it races with nothing, but what
// explains the steps.
#pragma once

#include <cstdint>
#include <string>

#include "trace/execution.h"

namespace heddle::explore {

struct DataNote {
  EventIndex step = 0;  // so many steps had been done
  ThreadId thread;
  std::uint32_t where = 0;
  std::string object;         // "queue.size()", "limit"
  std::string before, after;  // the same: it was only looked at
  bool write = false;
  // From the failure: 0 is what its thread looked at last; kUnrelated: nothing that the failure depends on.
  std::uint8_t distance = 0;
};
inline constexpr std::uint8_t kUnrelated = 9;

}  // namespace heddle::explore
