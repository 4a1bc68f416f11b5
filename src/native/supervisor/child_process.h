// Running a tool to its end and keeping what it says.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace heddle::supervisor {

struct Finished {
  int code = 0;        // exit code, or 128 + signal
  std::string output;  // standard output
};

struct Tool {
  std::vector<std::string> command;  // looked up in PATH
  std::string input;                 // its standard input
  bool merge_errors = false;         // standard error into output; otherwise it goes where ours goes
};

// An error if the tool cannot be started.
Result<Finished> run_tool(const Tool& tool);

// The first of the names that PATH has, or empty.
std::string find_in_path(const std::vector<std::string>& names);

}  // namespace heddle::supervisor
