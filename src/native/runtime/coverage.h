// Counters of lines and branches, of programs that are compiled with them (native/pass/coverage.cpp).
//
// They lie in memory of their own that is mapped before anything runs and shared between processes: no rewinding
// touches it, and executions in a fork count as well.
#pragma once

#include "native/protocol/messages.h"

namespace heddle::runtime {

// Does the executable have any?
bool counts_coverage();
protocol::CoverageReport coverage_so_far();

}  // namespace heddle::runtime
