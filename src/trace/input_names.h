// Inputs by name: input[THREAD,ORDINAL], as reports and schedule files show them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "trace/execution.h"
#include "trace/program.h"

namespace heddle::trace {

std::map<std::string, std::int64_t> inputs_by_name(const Execution& execution, const Describer& describer);

// For people: "name = value" in the order of threads and of what each has read. The bytes of a buffer are one line: as
// text if they are one, else in hexadecimal, with the number that a variable of this size holds.
std::vector<std::string> input_lines(const Execution& execution, const Describer& describer);

}  // namespace heddle::trace
