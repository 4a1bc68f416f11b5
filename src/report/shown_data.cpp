#include "report/shown_data.h"

#include <algorithm>

namespace heddle::report {
namespace {

constexpr std::size_t kLittle = 12;  // notes, of whatever kind
constexpr std::size_t kMost = 24;    // of those that matter

}  // namespace

std::vector<const explore::DataNote*> shown_data(const explore::Finding& finding, WhichData which) {
  std::vector<const explore::DataNote*> notes;
  for (const explore::DataNote& note : finding.data) notes.push_back(&note);
  if (which == WhichData::kAll || notes.size() <= kLittle) return notes;
  std::stable_sort(notes.begin(), notes.end(), [](const auto* a, const auto* b) {
    return a->distance != b->distance ? a->distance < b->distance : a > b;  // the last ones first
  });
  const auto unrelated =
      std::find_if(notes.begin(), notes.end(), [](const auto* note) { return note->distance == explore::kUnrelated; });
  const auto related = static_cast<std::size_t>(unrelated - notes.begin());
  notes.resize(std::clamp(related, kLittle, kMost));
  std::sort(notes.begin(), notes.end());
  return notes;
}

std::string data_text(const explore::DataNote& note) {
  return note.write ? note.object + ": " + note.before + " -> " + note.after : note.object + " = " + note.after;
}

}  // namespace heddle::report
