// Findings in the form in which compilers complain, for editors and build tools that know it: FILE:LINE:COLUMN: error:
// TEXT.
#pragma once

#include <string>

#include "explore/explorer.h"
#include "trace/program.h"
#include "trace/schedule.h"

namespace heddle::report {

// A line per finding, with a note at each step of the pair that is to blame; a warning if the exploration is
// inconclusive; nothing if all is well.
std::string problem_lines(const explore::ExploreResult& result, const trace::Describer& describer,
                          const trace::SavedSchedule& origin);

}  // namespace heddle::report
