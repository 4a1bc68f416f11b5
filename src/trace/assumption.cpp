#include "trace/assumption.h"

#include <algorithm>

namespace heddle::trace {
namespace {

constexpr std::size_t kMostPlaces = 6;  // in a line of text

struct Row {
  AssumptionKind kind;
  const char* name;
  const char* text;
  const char* places;  // what there is at them, if the text is that of the row
  bool about_absence;
};
constexpr Row kRows[kAssumptionKinds] = {
    {AssumptionKind::kSequentialConsistency, "sequential-consistency", "sequential consistency", "weaker orders at",
     true},
    {AssumptionKind::kNoSpuriousWakeUps, "no-spurious-wake-ups", "no spurious wake-ups", "waits at", true},
    {AssumptionKind::kCodeNotSeen, "code-not-seen", "code that was not looked at is free of races", "called at", false},
    {AssumptionKind::kSuppressedRaces, "suppressed-races", "races that were left out do no harm", "at", false},
    {AssumptionKind::kAsCompiled, "as-compiled", "the compiler has left accesses as the source has them", "at", false},
    {AssumptionKind::kNoLoadBuffering, "no-load-buffering", "no load buffering", "relaxed accesses at", true},
    {AssumptionKind::kCountingLoops, "counting-loops",
     "how often a loop that counts has looked makes no difference beyond its first turns", "looks at", true},
};

const Row& row_of(AssumptionKind kind) { return kRows[static_cast<std::size_t>(kind)]; }

// "dir/ring.h:31:7" without the column.
std::string line_of(const std::string& position) {
  const auto is_number = [&](std::size_t begin, std::size_t end) {
    return begin < end &&
           std::all_of(
               position.begin() + static_cast<std::ptrdiff_t>(begin),
               position.begin() + static_cast<std::ptrdiff_t>(end), [](char c) { return c >= '0' && c <= '9'; });
  };
  const auto last = position.rfind(':');
  if (last == position.npos || last == 0 || !is_number(last + 1, position.size())) return position;
  const auto before = position.rfind(':', last - 1);
  return before != position.npos && is_number(before + 1, last) ? position.substr(0, last) : position;
}

void add_once(std::vector<std::string>& all, std::string text) {
  if (!text.empty() && std::find(all.begin(), all.end(), text) == all.end()) all.push_back(std::move(text));
}

}  // namespace

const char* name_of(AssumptionKind kind) { return row_of(kind).name; }
std::string text_of(AssumptionKind kind) { return row_of(kind).text; }
bool is_about_absence(AssumptionKind kind) { return row_of(kind).about_absence; }

std::vector<std::string> places_of(const Assumption& assumption, const Describer& describer) {
  std::vector<std::string> all;
  for (const std::uint32_t where : assumption.places) add_once(all, describer.position(where));
  return all;
}

std::string to_text(const Assumption& assumption, const Describer& describer) {
  std::vector<std::string> lines;
  for (const std::string& place : places_of(assumption, describer)) add_once(lines, line_of(place));
  if (lines.empty()) return assumption.text;
  const Row& row = row_of(assumption.kind);
  // The row speaks of what is assumed as a rule; of what is told apart from it only the place is known.
  std::string out = assumption.text + " (" + (assumption.text.starts_with(row.text) ? row.places : "at") + " ";
  for (std::size_t i = 0; i < std::min(lines.size(), kMostPlaces); ++i) out += (i == 0 ? "" : ", ") + lines[i];
  if (lines.size() > kMostPlaces) out += " and " + std::to_string(lines.size() - kMostPlaces) + " more";
  return out + ")";
}

}  // namespace heddle::trace
