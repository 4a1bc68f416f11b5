#include "report/html_sources.h"

#include <charconv>
#include <fstream>

namespace heddle::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint32_t kWholeUpTo = 1500;  // lines; longer files are cut into chunks
constexpr std::uint32_t kAround = 25;       // lines kept before and after each line mentioned
constexpr std::size_t kLongestLine = 2000;  // bytes; generated sources have worse

// The number after the last colon of `text`, which is cut off there.
std::optional<std::uint32_t> take_last_number(std::string_view& text) {
  const auto colon = text.rfind(':');
  if (colon == text.npos) return std::nullopt;
  const std::string_view digits = text.substr(colon + 1);
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size() || digits.empty()) return std::nullopt;
  text = text.substr(0, colon);
  return value;
}

std::vector<std::string> lines_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    lines.push_back(line.substr(0, kLongestLine));
  }
  return lines;
}

}  // namespace

std::optional<SourcePlace> parse_position(std::string_view position) {
  std::string_view rest = position;
  const auto last = take_last_number(rest);
  if (!last) return std::nullopt;
  std::string_view file = rest;
  if (const auto line = take_last_number(file); line && !file.empty())
    return SourcePlace{std::string(file), *line, *last};
  if (rest.empty()) return std::nullopt;
  return SourcePlace{std::string(rest), *last, 0};
}

std::string source_text(std::string_view position) {
  const auto place = parse_position(position);
  if (!place) return {};
  const std::vector<std::string> lines = lines_of(place->file);
  if (place->line == 0 || place->line > lines.size()) return {};
  const std::string& line = lines[place->line - 1];
  const std::size_t begin = line.find_first_not_of(" \t");
  return begin == line.npos ? std::string() : line.substr(begin, line.find_last_not_of(" \t") + 1 - begin);
}

int PageSources::place(std::uint32_t where) {
  if (where == 0) return -1;
  if (const auto known = by_where_.find(where); known != by_where_.end()) return known->second;
  const std::string position = describer_.position(where);
  if (position.empty()) return by_where_[where] = -1;
  std::string key = position;
  const std::vector<std::string> calls = describer_.stack(where);
  for (const std::string& call : calls) key += "\n" + call;
  const auto [entry, added] = by_position_.try_emplace(key, static_cast<int>(positions_.size()));
  by_where_[where] = entry->second;
  if (!added) return entry->second;
  positions_.push_back(position);
  parsed_.push_back(parse_position(position).value_or(SourcePlace{}));
  mention(parsed_.back(), describer_.source_line(where));
  std::vector<Frame> frames;
  for (const std::string& call : calls) {
    const auto gap = call.rfind("  ");
    frames.push_back(
        {call.substr(0, gap), parse_position(gap == call.npos ? "" : call.substr(gap + 2)).value_or(SourcePlace{})});
    if (frames.size() > 1) mention(frames.back().place, "");
  }
  stacks_.push_back(std::move(frames));
  return entry->second;
}

void PageSources::mention(const SourcePlace& place, const std::string& text) {
  if (place.file.empty()) return;
  const auto [file, is_new] = by_file_.try_emplace(place.file, static_cast<int>(files_.size()));
  if (is_new) files_.push_back({place.file, {}});
  std::string& line = files_[static_cast<std::size_t>(file->second)].mentioned[place.line];
  if (!text.empty()) line = text;
}

Json PageSources::places() const {
  Json out = Json::array();
  for (std::size_t i = 0; i < positions_.size(); ++i) {
    const SourcePlace& p = parsed_[i];
    Json callers = Json::array();
    for (std::size_t k = 1; k < stacks_[i].size(); ++k) {
      const auto& [function, place] = stacks_[i][k];
      callers.push_back({function, place.file.empty() ? -1 : by_file_.at(place.file), place.line});
    }
    out.push_back({p.file.empty() ? -1 : by_file_.at(p.file), p.line, p.column, positions_[i],
                   stacks_[i].empty() ? std::string() : stacks_[i].front().function, std::move(callers)});
  }
  return out;
}

Json PageSources::files() const {
  Json out = Json::array();
  for (const File& file : files_) {
    std::vector<std::string> lines = lines_of(file.name);
    Json chunks = Json::array();
    std::uint32_t next = 1;  // first line not yet written
    const auto write = [&](std::uint32_t from, std::uint32_t to) {
      std::string text;
      for (std::uint32_t i = from; i <= to; ++i) text += lines[i - 1] + (i < to ? "\n" : "");
      if (from == next && !chunks.empty())
        chunks.back()[1] = chunks.back()[1].get<std::string>() + "\n" + text;
      else
        chunks.push_back({from, text});
      next = to + 1;
    };
    const auto count = static_cast<std::uint32_t>(lines.size());
    if (count > 0 && count <= kWholeUpTo)
      write(1, count);
    else if (count > 0)
      for (const auto& [line, text] : file.mentioned) {
        const std::uint32_t from = std::max(next, line > kAround ? line - kAround : 1);
        const std::uint32_t to = std::min(count, line + kAround);
        if (from <= to) write(from, to);
      }
    else
      for (const auto& [line, text] : file.mentioned)
        if (!text.empty()) chunks.push_back({line, text});
    out.push_back({{"name", file.name}, {"chunks", std::move(chunks)}});
  }
  return out;
}

}  // namespace heddle::report
