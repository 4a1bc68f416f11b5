// `heddle run`: explore, with progress and Ctrl-C, then present.
#include <filesystem>
#include <fstream>

#include "cli/commands.h"
#include "cli/front_end.h"
#include "cli/present.h"
#include "cli/progress.h"

namespace heddle::cli {
namespace {

Result<Explored> explore_by_kind(const RunRequest& request, const Observer& observer) {
  auto kind = kind_of(request.program);
  if (!kind) return kind.error();
  switch (*kind) {
    case ProgramKind::kModel:
      return explore_model(request, observer);
    case ProgramKind::kNativeSource:
    case ProgramKind::kNativeExecutable:
      return explore_native(request, observer);
  }
  return Error{"unknown kind of program"};
}

// A file that cannot be written should be known before an hour of exploring, not after.
std::optional<Error> unwritable(const std::optional<std::string>& path) {
  if (!path || *path == "-") return std::nullopt;
  std::error_code error;
  const bool existed = std::filesystem::exists(*path, error);
  if (std::ofstream(*path, std::ios::app)) {
    if (!existed) std::filesystem::remove(*path, error);
    return std::nullopt;
  }
  return Error{"cannot write \"" + *path + "\"; check that its folder exists and is writable"};
}

// A run of a week must not fill the memory with samples: when there are many, every other one is enough.
void remember(std::vector<explore::Progress>& history, const explore::Progress& progress) {
  constexpr std::size_t kMost = 4096;
  if (history.size() == kMost)
    for (std::size_t i = 0; 2 * i < history.size(); ++i) history[i] = history[2 * i];
  if (history.size() == kMost) history.resize(kMost / 2);
  history.push_back(progress);
}

}  // namespace

Result<int> run(const RunRequest& request) {
  if (auto error = unwritable(request.json)) return *error;
  if (auto error = unwritable(request.save)) return *error;
  for (const auto* path : {&request.reports.html, &request.reports.junit, &request.reports.sarif})
    if (auto error = unwritable(*path)) return *error;
  Interruption interruption;
  ProgressLine line(!request.quiet);
  std::vector<explore::Progress> history;
  auto explored = explore_by_kind(request, [&](const explore::Progress& progress) {
    line.show(progress);
    remember(history, progress);
    return !interruption.requested();
  });
  line.clear();
  if (!explored) return explored.error();
  if (interruption.requested() && !explored->result.exhausted) explored->result.reason = "interrupted";
  explored->history = std::move(history);
  return present(*explored, {request.json, request.save, request.reports, request.quiet});
}

}  // namespace heddle::cli
