// JUnit XML, as CI servers read it (docs/reports.md): one suite with one case, the exploration. A bug is a
// failure, an inconclusive exploration an error: neither has shown what a test is there to show.
#pragma once

#include <string>

#include "explore/explorer.h"
#include "trace/program.h"
#include "trace/schedule.h"

namespace heddle::report {

std::string junit_report(const explore::ExploreResult& result, const trace::Describer& describer,
                         const trace::SavedSchedule& origin);

}  // namespace heddle::report
