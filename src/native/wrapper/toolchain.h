// The compiler underneath, and where Heddle's own pieces are.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace heddle::wrapper {

enum class Language : std::uint8_t { kC, kCxx };
enum class CompilerKind : std::uint8_t { kClang, kGcc };

struct Toolchain {
  std::vector<std::string> compiler;  // a command, possibly with a launcher in front: {"ccache", "clang-19"}
  CompilerKind kind = CompilerKind::kClang;
  int major_version = 0;  // 0: not asked for
  Language language = Language::kC;
};

// $HEDDLE_CC or $HEDDLE_CXX, else clang-19 or clang++-19.
Result<Toolchain> find_toolchain(Language language);

// The same layout in the build tree and installed: <root>/bin, <root>/lib/heddle (or the
// distribution's library folder), <root>/include.
struct Installation {
  std::string pass_plugin;
  std::string runtime;
  std::string wrapped_functions;  // options of the linker, in a file
  std::string include_directory;
};

Installation find_installation();

inline constexpr int kPassLlvmVersion = 19;

}  // namespace heddle::wrapper
