// Workflow commands that GitHub shows as annotations at the lines they name.
#pragma once

#include <string>

#include "explore/explorer.h"
#include "trace/program.h"
#include "trace/schedule.h"

namespace heddle::report {

// One line per finding; one warning if the exploration is inconclusive; nothing if all is well.
std::string github_annotations(const explore::ExploreResult& result, const trace::Describer& describer,
                               const trace::SavedSchedule& origin);

}  // namespace heddle::report
