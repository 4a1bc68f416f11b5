#include "native/supervisor/coverage.h"

#include <algorithm>
#include <tuple>

namespace heddle::supervisor {

trace::Coverage coverage_of(const protocol::CoverageReport& counted) {
  using Line = std::tuple<std::string, std::string, std::uint32_t>;  // file, function, line
  std::map<Line, std::uint64_t> lines;
  std::map<std::tuple<std::string, std::uint32_t, std::string, std::uint32_t>, std::vector<std::uint64_t>> branches;
  // A line is in several blocks: a loop's is as often run as the most often run of them. Only one of several objects
  // with the same function has it run.
  for (const protocol::CoverageCount& p : counted.points) {
    if (p.file >= counted.files.size() || p.function >= counted.functions.size()) continue;
    const std::string &file = counted.files[p.file], &function = counted.functions[p.function];
    if (p.branch == 0) {
      std::uint64_t& most = lines[{file, function, p.line}];
      most = std::max(most, p.count);
    } else if (p.way < protocol::kMostWays) {
      auto& ways = branches[{file, p.line, function, p.branch}];
      if (ways.size() <= p.way) ways.resize(p.way + 1);
      ways[p.way] = std::max(ways[p.way], p.count);
    }
  }
  std::map<std::string, trace::CoveredFile> files;
  for (const auto& [key, count] : lines) files[std::get<0>(key)].lines[std::get<2>(key)] += count;
  for (auto& [key, ways] : branches) files[std::get<0>(key)].branches[std::get<1>(key)].push_back(std::move(ways));
  trace::Coverage out;
  for (auto& [path, file] : files) {
    file.path = path;
    out.push_back(std::move(file));
  }
  return out;
}

}  // namespace heddle::supervisor
