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
                             AlgorithmsRequest>;

// An error for everything that can be known to be wrong before a file is opened.
Result<Request> parse_command_line(int argc, const char* const* argv);

}  // namespace heddle::cli
