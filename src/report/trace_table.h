// A trace as a table: one row per step, one column per thread.
#pragma once

#include <string>

#include "report/terminal.h"

namespace heddle::report {

std::string trace_table(const explore::Finding& finding, const trace::Describer& describer,
                        const TerminalOptions& options);

}  // namespace heddle::report
