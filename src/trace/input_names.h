// Inputs by name: input[THREAD,ORDINAL], as reports and schedule files show them.
#pragma once

#include <map>
#include <string>

#include "trace/execution.h"
#include "trace/program.h"

namespace heddle::trace {

std::map<std::string, std::int64_t> inputs_by_name(const Execution& execution, const Describer& describer);

}  // namespace heddle::trace
