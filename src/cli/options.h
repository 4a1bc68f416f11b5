// The one table of options: names, values, defaults and help. Nothing else in Heddle knows an option's name.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "cli/request.h"

namespace heddle::cli {

struct AlgorithmsRequest {};

// --help or --version: the text to print.
struct Information {
  std::string text;
};

using Request = std::variant<Information, RunRequest, ReplayRequest, AlgorithmsRequest>;

Result<Request> parse_command_line(int argc, const char* const* argv);

// The word of `known` that `word` was probably meant to be, or empty.
std::string_view nearest(std::string_view word, const std::vector<std::string_view>& known);

}  // namespace heddle::cli
