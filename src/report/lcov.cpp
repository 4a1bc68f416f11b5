#include "report/lcov.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace heddle::report {
namespace {

// Ways of a branch that was never come to are not 0 but "-".
std::string branches_of(const trace::CoveredFile& file) {
  std::string out;
  std::size_t found = 0, hit = 0;
  for (const auto& [line, branches] : file.branches)
    for (std::size_t b = 0; b < branches.size(); ++b) {
      const std::vector<std::uint64_t>& ways = branches[b];
      const bool reached = std::accumulate(ways.begin(), ways.end(), std::uint64_t{0}) > 0;
      for (std::size_t w = 0; w < ways.size(); ++w)
        out += fmt::format("BRDA:{},{},{},{}\n", line, b, w, reached ? std::to_string(ways[w]) : "-");
      found += ways.size();
      hit += ways.size() - static_cast<std::size_t>(std::count(ways.begin(), ways.end(), 0));
    }
  return out + fmt::format("BRF:{}\nBRH:{}\n", found, hit);
}

std::string lines_of(const trace::CoveredFile& file) {
  std::string out;
  std::size_t hit = 0;
  for (const auto& [line, hits] : file.lines) {
    out += fmt::format("DA:{},{}\n", line, hits);
    hit += hits > 0;
  }
  return out + fmt::format("LF:{}\nLH:{}\n", file.lines.size(), hit);
}

}  // namespace

std::string lcov(const trace::Coverage& coverage, const std::string& test) {
  std::string out;
  for (const trace::CoveredFile& file : coverage)
    out += "TN:" + test + "\nSF:" + file.path + "\n" + branches_of(file) + lines_of(file) + "end_of_record\n";
  return out;
}

}  // namespace heddle::report
