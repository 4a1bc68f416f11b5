// Coverage in the format of lcov's tracefiles: per line how often it was reached (the most of its instructions), per
// conditional jump how often each way was taken.
#include <map>

#include "model/model_program.h"

namespace heddle::model {

std::string ModelProgram::lcov(const std::string& test) const {
  const Coverage& coverage = interpreter_.coverage();
  struct Jump {
    std::uint64_t jumped, passed;
  };
  std::map<std::uint32_t, std::uint64_t> lines;
  std::map<std::uint32_t, std::vector<Jump>> jumps;
  for (std::size_t i = 0; i < coverage.hits.size(); ++i) {
    const std::uint32_t line = source_.position(code_.places[i]).line;
    std::uint64_t& hits = lines[line];
    hits = std::max(hits, coverage.hits[i]);
    const Op op = code_.instructions[i].op;
    if (op == Op::kJumpIfZero || op == Op::kJumpIfNot) jumps[line].push_back({coverage.jumped[i], coverage.passed[i]});
  }
  std::string out = "TN:" + test + "\nSF:" + source_.name() + "\n";
  std::size_t found = 0, hit = 0;
  for (const auto& [line, list] : jumps)
    for (std::size_t block = 0; block < list.size(); ++block) {
      const std::uint64_t ways[] = {list[block].passed, list[block].jumped};
      for (int way = 0; way < 2; ++way) {
        const bool reached = ways[0] + ways[1] > 0;
        out += "BRDA:" + std::to_string(line) + "," + std::to_string(block) + "," + std::to_string(way) + "," +
               (reached ? std::to_string(ways[way]) : "-") + "\n";
        ++found;
        hit += ways[way] > 0;
      }
    }
  out += "BRF:" + std::to_string(found) + "\nBRH:" + std::to_string(hit) + "\n";
  hit = 0;
  for (const auto& [line, hits] : lines) {
    out += "DA:" + std::to_string(line) + "," + std::to_string(hits) + "\n";
    hit += hits > 0;
  }
  return out + "LF:" + std::to_string(lines.size()) + "\nLH:" + std::to_string(hit) + "\nend_of_record\n";
}

}  // namespace heddle::model
