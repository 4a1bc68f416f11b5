// The report a person reads: each finding with its trace, then what was explored.
#pragma once

#include <string>

#include "explore/explorer.h"
#include "trace/program.h"

namespace heddle::report {

struct TerminalOptions {
  bool color = false;
  std::size_t width = 100;  // columns of the terminal
};

std::string terminal_report(const explore::ExploreResult& result, const trace::Describer& describer,
                            const TerminalOptions& options);

}  // namespace heddle::report
