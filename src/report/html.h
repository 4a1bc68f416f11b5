// The interactive report: one HTML file that needs nothing else, neither network nor the program's sources
// (docs/reports.md). The page itself is in page/; here the data it shows are put together.
#pragma once

#include <string>
#include <vector>

#include "explore/explorer.h"
#include "trace/program.h"
#include "trace/schedule.h"

namespace heddle::report {

// What the page shows besides the result.
struct HtmlContext {
  const trace::Describer& describer;
  const trace::SavedSchedule& origin;      // what was run; with a finding's steps: the schedule file that replays it
  std::vector<explore::Progress> history;  // of the exploration, in time order; may be empty
  std::string note;
  std::string output;   // of the first failing execution
  std::string version;  // of heddle
};

std::string html_report(const explore::ExploreResult& result, const HtmlContext& context);

}  // namespace heddle::report
