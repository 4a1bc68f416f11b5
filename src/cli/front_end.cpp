#include "cli/front_end.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "cli/spelling.h"

namespace heddle::cli {
namespace {

bool is_elf(const std::string& path) {
  char magic[4] = {};
  std::ifstream file(path, std::ios::binary);
  return file.read(magic, sizeof magic) && std::string_view(magic, 4) == "\x7f" "ELF";
}

// A file of the same folder with a similar name, as a hint; empty if there is none.
std::string similar_file(const std::filesystem::path& path) {
  std::error_code error;
  const auto folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  const std::string wanted = path.filename().string();
  const std::string_view best = nearest(wanted, {names.begin(), names.end()});
  return best.empty() ? std::string() : (path.parent_path() / best).string();
}

}  // namespace

Result<ProgramKind> kind_of(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) {
    const std::string meant = similar_file(path);
    return Error{"there is no file \"" + path + "\"" +
                 (meant.empty() ? "; check the path" : "; did you mean \"" + meant + "\"?")};
  }
  if (std::filesystem::is_directory(status))
    return Error{"\"" + path + "\" is a directory; name a program in it"};
  const std::string extension = std::filesystem::path(path).extension().string();
  if (extension == ".hed") return ProgramKind::kModel;
  for (const char* source : {".c", ".cc", ".cpp", ".cxx"})
    if (extension == source) return ProgramKind::kNativeSource;
  if (is_elf(path)) return ProgramKind::kNativeExecutable;
  return Error{"\"" + path + "\" is neither a model (.hed) nor C or C++ (.c, .cc, .cpp, .cxx) nor an executable"};
}

explore::ExploreOptions engine_options(const RunRequest& request, const Observer& observer) {
  explore::ExploreOptions options;
  options.strategy = request.strategy;
  options.max_executions = request.max_executions;
  options.max_seconds = request.max_seconds;
  options.all = request.all;
  options.keep_executions = request.reports.html ? kLargestTree : 0;
  options.prefix = request.prefix;
  options.observer = observer;
  return options;
}

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

Result<Explored> replay_by_kind(const trace::SavedSchedule& saved) {
  auto kind = kind_of(saved.program);
  if (!kind) return kind.error();
  switch (*kind) {
    case ProgramKind::kModel:
      return replay_model(saved);
    case ProgramKind::kNativeSource:
    case ProgramKind::kNativeExecutable:
      return replay_native(saved);
  }
  return Error{"unknown kind of program"};
}

bool could_be_followed(const explore::ExploreResult& result) {
  return !result.reason.starts_with("the schedule could not be followed");
}

std::string change_note(const trace::SavedSchedule& saved, std::uint64_t identity,
                        const explore::ExploreResult& result) {
  if (identity == saved.identity) return {};
  const std::uint64_t followed = std::min<std::uint64_t>(result.steps, saved.steps.size());
  const std::string extent = could_be_followed(result)
                                 ? "all " + std::to_string(followed) + " steps of it could still be followed"
                                 : "only " + std::to_string(followed) + " of its " + std::to_string(saved.steps.size()) +
                                       " steps could be followed";
  return "\"" + saved.program + "\" has changed since the schedule was saved (it, its flags or Heddle's runtime); " + extent;
}

explore::ExploreResult replay_result(trace::Execution execution, const trace::SavedSchedule& saved) {
  explore::ExploreResult result;
  result.algorithm = "replay";
  result.executions = 1;
  result.steps = execution.steps.size();
  if (execution.diverged_at != kNoEvent) {
    result.reason = "the schedule could not be followed at step " + std::to_string(execution.diverged_at + 1) +
                    "; the program is not deterministic, or it has changed";
    return result;
  }
  result.classes = 1;
  result.deadlocked = execution.outcome == trace::Outcome::kDeadlock ? 1 : 0;
  result.failed = execution.outcome == trace::Outcome::kFailed ? 1 : 0;
  result.reason = "a replay is one execution";
  for (const trace::Failure& f : execution.failures) {
    const bool known = std::any_of(result.findings.begin(), result.findings.end(), [&](const auto& other) {
      return other.failure.kind == f.kind && other.failure.where == f.where && other.failure.message == f.message;
    });
    if (!known) result.findings.push_back({f, execution, saved.steps, 1, {}});
  }
  // What the schedule was saved for comes first.
  std::stable_partition(result.findings.begin(), result.findings.end(), [&](const explore::Finding& finding) {
    return saved.expect == trace::name_of(finding.failure.kind);
  });
  if (!result.findings.empty()) result.verdict = explore::Verdict::kBug;
  if (!saved.expect.empty() && result.findings.empty())
    result.reason = "the schedule was saved for a bug of kind \"" + saved.expect + "\", which did not happen";
  return result;
}

}  // namespace heddle::cli
