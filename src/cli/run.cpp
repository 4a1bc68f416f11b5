// `heddle run`: explore, with progress and Ctrl-C, then present.
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "cli/commands.h"
#include "cli/corpus.h"
#include "cli/front_end.h"
#include "cli/present.h"
#include "cli/progress.h"
#include "cli/statistics.h"

namespace heddle::cli {
namespace {

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
  if (request.corpus) {
    auto failed = run_corpus(request);
    if (!failed) return failed.error();
    if (*failed) return present(**failed, {request.json, request.save, request.reports, request.quiet});
  }
  Interruption interruption;
  ProgressLine line(request.quiet ? ProgressLine::Mode::kNone : ProgressLine::Mode::kShown, request.progress_seconds);
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
  if (request.corpus) {
    if (auto error = keep_in_corpus(request, *explored)) return *error;
  }
  auto code = present(*explored, {request.json, request.save, request.reports, request.quiet});
  if (code && request.stats && request.json != "-") std::fputs(statistics_table(explored->result).c_str(), stdout);
  return code;
}

}  // namespace heddle::cli
