// SARIF 2.1.0, the interchange format of static analysers, which code-scanning services read
// (docs/reports.md). The failing execution is a code flow with one thread flow per thread; `executionOrder`
// interleaves them.
#pragma once

#include <string>

#include "explore/explorer.h"
#include "trace/program.h"
#include "trace/schedule.h"

namespace heddle::report {

struct SarifContext {
  const trace::Describer& describer;
  const trace::SavedSchedule& origin;
  std::string version;  // of heddle
  int exit_code = 0;
};

std::string sarif_report(const explore::ExploreResult& result, const SarifContext& context);

}  // namespace heddle::report
