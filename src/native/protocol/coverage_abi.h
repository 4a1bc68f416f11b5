// What code compiled with counting of coverage (native/pass/coverage.cpp) and the runtime agree on. Included by the
// compiler pass, so it includes nothing of Heddle itself.
#pragma once

#include <cstdint>

namespace heddle::protocol {

// Something that is counted: that a line was come to, or that a branch went one way.
struct CoveragePoint {
  std::uint32_t file;      // of the module's files
  std::uint32_t function;  // of the module's functions
  std::uint32_t line;
  std::uint32_t branch;  // 0: the line. Otherwise the number of the branch in its function, from 1, ...
  std::uint32_t way;     // ... and which way
};

// One per object file. A constructor of the object registers it.
struct CoverageModule {
  CoverageModule* next;
  const CoveragePoint* points;
  const char* const* files;
  const char* const* functions;
  std::uint64_t* counters;  // one per point: the module's own until it is registered
  std::uint64_t count;
};

}  // namespace heddle::protocol
