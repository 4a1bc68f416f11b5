// From argv to a request.
#pragma once

#include <string>
#include <variant>

#include "base/result.h"
#include "cli/request.h"

namespace heddle::cli {

struct AlgorithmsRequest {};

// --help or --version: the text to print.
struct Information {
  std::string text;
};

using Request = std::variant<Information, RunRequest, ReplayRequest, UnfoldRequest, CompareRequest, StatusRequest,
                             WorkRequest, AlgorithmsRequest>;

// An error for everything that can be known to be wrong before a file is opened; the project's settings are read.
Result<Request> parse_command_line(int argc, const char* const* argv);
// The same run as the project's settings are now, for one test of the program if `test` is not empty.
Result<RunRequest> parsed_again(const RunRequest& request, const std::string& test = {});

}  // namespace heddle::cli
