#include "model/source.h"

#include <algorithm>

namespace heddle::model {
namespace {
// Longer lines are shown as a window around the column.
constexpr std::size_t kShownBefore = 70;
constexpr std::size_t kShownAfter = 30;
}  // namespace

Position Source::position(Offset at) const {
  const std::string_view before = text().substr(0, std::min<std::size_t>(at, text_.size()));
  const auto newline = before.rfind('\n');
  const std::size_t line_start = newline == before.npos ? 0 : newline + 1;
  return {static_cast<std::uint32_t>(1 + std::count(before.begin(), before.end(), '\n')),
          static_cast<std::uint32_t>(1 + before.size() - line_start)};
}

std::string_view Source::line_at(Offset at) const {
  const std::string_view all = text();
  const std::size_t offset = std::min<std::size_t>(at, all.size());
  const auto newline = offset == 0 ? all.npos : all.rfind('\n', offset - 1);
  const std::size_t start = newline == all.npos ? 0 : newline + 1;
  std::string_view line = all.substr(start, all.find('\n', start) - start);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

std::string Source::place(Offset at) const {
  const Position p = position(at);
  return name_ + ":" + std::to_string(p.line) + ":" + std::to_string(p.column);
}

Error Source::error(const Complaint& complaint) const {
  if (complaint.at == kNoPlace) return Error{name_ + ": " + complaint.message};
  const std::string_view line = line_at(complaint.at);
  const std::size_t column = std::min<std::size_t>(position(complaint.at).column - 1, line.size());
  const std::size_t first = column > kShownBefore ? column - kShownBefore : 0;
  std::string shown, below;
  for (std::size_t i = first; i < std::min(line.size(), column + kShownAfter); ++i) {
    const auto c = static_cast<unsigned char>(line[i]);
    shown += c == '\t' || (c >= 32 && c != 127) ? line[i] : '?';
    if (i < column) below += c == '\t' ? '\t' : ' ';
  }
  if (shown.empty()) return Error{place(complaint.at) + ": " + complaint.message};
  return Error{place(complaint.at) + ": " + complaint.message + "\n  " + shown + "\n  " + below + "^"};
}

}  // namespace heddle::model
