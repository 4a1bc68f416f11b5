// The report a person reads: each finding with its trace, then what was explored. Of many findings a list comes first,
// and only the first of them have traces, unless all are asked for.
#pragma once

#include <string>

#include "explore/explorer.h"
#include "trace/program.h"

namespace heddle::report {

struct TerminalOptions {
  bool color = false;
  std::size_t width = 100;  // columns of the terminal
  bool all_details = false;
};

std::string terminal_report(const explore::ExploreResult& result, const trace::Describer& describer,
                            const TerminalOptions& options);

}  // namespace heddle::report
