// Coverage as lcov's tracefiles have it (geninfo(1)), which genhtml and most editors and services read.
#pragma once

#include <string>

#include "trace/coverage.h"

namespace heddle::report {

// `test` names the run in it.
std::string lcov(const trace::Coverage& coverage, const std::string& test);

}  // namespace heddle::report
