// JUnit XML, as CI servers read it (docs/reports.md): a suite with one case per exploration. A bug is a failure, an
// inconclusive exploration an error: neither has shown what a test is there to show.
#pragma once

#include <span>
#include <string>

#include "explore/explorer.h"
#include "trace/program.h"
#include "trace/schedule.h"

namespace heddle::report {

struct JunitSuite {
  std::string text;
  std::size_t failures = 0;
  std::size_t errors = 0;
  std::size_t skipped = 0;
  double seconds = 0;
};
// `test`: its name, if the program has several. `skipped`: it says that it is not to be run.
JunitSuite junit_suite(const explore::ExploreResult& result, const trace::Describer& describer,
                       const trace::SavedSchedule& origin, const std::string& test = {}, bool skipped = false);
std::string junit_document(std::span<const JunitSuite> suites);

// Of one exploration.
std::string junit_report(const explore::ExploreResult& result, const trace::Describer& describer,
                         const trace::SavedSchedule& origin);

}  // namespace heddle::report
