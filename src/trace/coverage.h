// What the executions of a search have been through, by lines and branches of the sources.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace heddle::trace {

struct CoveredFile {
  std::string path;
  std::map<std::uint32_t, std::uint64_t> lines;  // that have code -> how often it was run
  // By line: the branches on it, and of each how often each way was taken.
  std::map<std::uint32_t, std::vector<std::vector<std::uint64_t>>> branches;
};

using Coverage = std::vector<CoveredFile>;

}  // namespace heddle::trace
