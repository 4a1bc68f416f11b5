// Counters of a worker as coverage of sources.
#pragma once

#include "native/protocol/messages.h"
#include "trace/coverage.h"

namespace heddle::supervisor {

// An inline function that several object files have is one; instances of a template count together by line, and their
// branches stand beside each other.
trace::Coverage coverage_of(const protocol::CoverageReport& counted);

}  // namespace heddle::supervisor
