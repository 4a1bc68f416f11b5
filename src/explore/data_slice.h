// Which plain accesses of a failing execution a reader needs to see.
#pragma once

#include <cstdint>
#include <vector>

#include "explore/explorer.h"

namespace heddle::explore {

// One that is no visible operation: it races with nothing.
struct PlainAccess {
  std::uint64_t address = 0;
  std::uint32_t size = 0;
  std::uint64_t before = 0, after = 0;  // its first eight bytes; a read leaves them
  EventIndex step = 0;                  // so many steps had been done
  ThreadId thread;
  bool write = false;
  bool own_stack = false;  // the thread's own
  bool variable = false;   // global or static
};

struct SlicedAccess {
  std::size_t index = 0;      // among all accesses
  std::uint8_t distance = 0;  // from the failure, see DataNote
};

// In the order of the execution, at most `most` of them: those that matter least are left out first.
std::vector<SlicedAccess> data_slice(const std::vector<PlainAccess>& accesses, const Finding& finding,
                                     std::size_t most);

}  // namespace heddle::explore
