// What heddle-cc and heddle-c++ take besides the compiler's own options: for their help text and their manual page.
#pragma once

#include <array>
#include <string_view>

namespace heddle::wrapper {

inline constexpr std::string_view kSummary =
    "heddle-cc and heddle-c++ compile and link C and C++ programs for `heddle run`.";

inline constexpr std::string_view kDescription =
    "They take the options of the compiler underneath (clang 19, or what HEDDLE_CC and HEDDLE_CXX name) and work as CC "
    "and CXX of make, CMake and autotools.";

struct Option {
  std::string_view name;
  std::string_view help;
};

inline constexpr std::array kOptions = {
    Option{"--heddle-instrument=pass", "instrument with Heddle's LLVM pass (default; clang 19)"},
    Option{"--heddle-instrument=tsan", "instrument with -fsanitize=thread (any clang, gcc)"},
    Option{"--heddle-symbolic=on", "track inputs in this file; off: do not; auto (default): if it asks for inputs"},
    Option{"--heddle-coverage", "count lines and branches, for `heddle run --coverage` (pass only)"},
    Option{"--heddle-dry-run", "print the compiler commands, run nothing"},
    Option{"--heddle-help", "this text"},
};

}  // namespace heddle::wrapper
