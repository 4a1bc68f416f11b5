// The machine-readable result (docs/formats.md).
#pragma once

#include <string>

#include "explore/explorer.h"
#include "trace/program.h"
#include "trace/schedule.h"

namespace heddle::report {

// `origin` says what was run; with a finding's steps filled in it is the schedule file that replays the finding.
std::string json_report(const explore::ExploreResult& result, const trace::Describer& describer,
                        const trace::SavedSchedule& origin);

}  // namespace heddle::report
