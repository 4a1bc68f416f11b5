// The source text a page needs: every file that a step mentions, whole if it is short, else the lines around
// those mentioned. Places are shared by all traces of a report.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trace/program.h"

namespace heddle::report {

struct SourcePlace {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;  // 0: unknown
};

// Takes "file:line:column" or "file:line" apart; names may hold colons themselves. Nothing for anything else.
std::optional<SourcePlace> parse_position(std::string_view position);

// The line at a position, trimmed; empty if it cannot be read.
std::string source_text(std::string_view position);

class PageSources {
 public:
  explicit PageSources(const trace::Describer& describer) : describer_(describer) {}

  // Index of the place in `places()`, or -1 if the position is unknown.
  int place(std::uint32_t where);

  // [file index or -1, line, column, position as text, function or "", callers] each; a caller is [function,
  // file index, line], the innermost first.
  nlohmann::ordered_json places() const;
  // {"name", "chunks": [[first line, text], ...]} each, in the order of first mention.
  nlohmann::ordered_json files() const;

 private:
  struct Frame {
    std::string function;
    SourcePlace place;
  };
  struct File {
    std::string name;
    std::map<std::uint32_t, std::string> mentioned;  // line -> its text as the front end knows it
  };

  void mention(const SourcePlace& place, const std::string& text);

  const trace::Describer& describer_;
  std::map<std::string, int> by_position_;  // with the calls that led there
  std::map<std::uint32_t, int> by_where_;
  std::vector<std::string> positions_;
  std::vector<SourcePlace> parsed_;  // file empty: no source
  std::vector<std::vector<Frame>> stacks_;
  std::vector<File> files_;
  std::map<std::string, int> by_file_;
};

}  // namespace heddle::report
