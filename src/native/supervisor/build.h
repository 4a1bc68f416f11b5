// `heddle run file.cpp -- flags`: the source becomes an executable.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace heddle::supervisor {

struct BuildRequest {
  std::string source;
  std::vector<std::string> flags;   // the user's, other sources and libraries among them
  std::string instrument = "pass";  // or "tsan"
  bool symbolic = false;            // track inputs everywhere, not only where they are asked for
  bool coverage = false;            // count lines and branches
  bool quiet = false;               // do not say that it takes a while
};

// Path of the executable, in the user's cache. Built again only if the source, a header, a flag or Heddle's own
// compiler has changed.
Result<std::string> build(const BuildRequest& request);

// What the compiler behind heddle-c++ says of itself, in one line.
Result<std::string> compiler_version();

}  // namespace heddle::supervisor
