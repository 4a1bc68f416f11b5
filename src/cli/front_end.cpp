#include "cli/front_end.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/spelling.h"
#include "report/lcov.h"

namespace heddle::cli {
namespace {

bool is_elf(const std::string& path) {
  char magic[4] = {};
  std::ifstream file(path, std::ios::binary);
  return file.read(magic, sizeof magic) && std::string_view(magic, 4) ==
                                               "\x7f"
                                               "ELF";
}

bool is_schedule(const std::string& path) {
  constexpr std::string_view kFirstWord = "heddle-schedule ";
  char head[kFirstWord.size()] = {};
  std::ifstream file(path, std::ios::binary);
  return file.read(head, sizeof head) && std::string_view(head, sizeof head) == kFirstWord;
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
  if (std::filesystem::is_directory(status)) return Error{"\"" + path + "\" is a directory; name a program in it"};
  const std::string extension = std::filesystem::path(path).extension().string();
  if (extension == ".hed") return ProgramKind::kModel;
  for (const char* source : {".c", ".cc", ".cpp", ".cxx"})
    if (extension == source) return ProgramKind::kNativeSource;
  if (is_elf(path)) return ProgramKind::kNativeExecutable;
  if (is_schedule(path))
    return Error{"\"" + path + "\" is a schedule, not a program; run it with `heddle replay " + path + "`"};
  return Error{"\"" + path + "\" is neither a model (.hed) nor C or C++ (.c, .cc, .cpp, .cxx) nor an executable"};
}

explore::ExploreOptions engine_options(const RunRequest& request, const Observer& observer) {
  explore::ExploreOptions options;
  options.strategy = request.strategy;
  options.max_executions = request.max_executions;
  options.max_seconds = request.max_seconds;
  options.all = request.all;
  options.keep_executions = request.reports.html || request.keep_executions ? kLargestTree : 0;
  options.prefix = request.prefix;
  options.observer = observer;
  return options;
}

Result<ExploredProgram> explore_by_kind(const RunRequest& request, const Observer& observer) {
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

Result<ExploredProgram> replay_by_kind(const trace::SavedSchedule& saved) {
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

std::string following_note(const trace::SavedSchedule& saved, const ExploredProgram& replayed) {
  const std::size_t followed = std::min<std::size_t>(replayed.result.steps, saved.steps.size());
  const std::string extent =
      "follows " + std::to_string(followed) + " of " + std::to_string(saved.steps.size()) + " steps";
  if (replayed.origin.identity != saved.identity)
    return "\"" + saved.program +
           "\" has changed since the schedule was saved (it, its flags or Heddle's runtime); it " + extent;
  if (replayed.followed) return {};
  const std::string thread = std::to_string(saved.steps[std::min(followed, saved.steps.size() - 1)].thread.value);
  // A model does nothing of its own accord.
  const bool model = saved.program.ends_with(".hed");
  return "the schedule does not fit \"" + saved.program + "\", which has not changed and " + extent + ": thread " +
         thread + " cannot take the next one; the file is damaged or was edited" +
         (model ? "" : ", or the program depends on what Heddle does not control (time, addresses)") +
         "; save it again with `heddle run ... --save=FILE`";
}

void judge_replay(const trace::SavedSchedule& saved, ExploredProgram& replayed) {
  explore::ExploreResult& result = replayed.result;
  // What the schedule was saved for comes first.
  std::stable_partition(result.findings.begin(), result.findings.end(), [&](const explore::Finding& finding) {
    return saved.expect == trace::name_of(finding.failure.kind);
  });
  // An execution that had to leave its schedule is of no class; one that ended well before its last step left it too.
  replayed.followed = result.classes > 0 && (!result.findings.empty() || result.steps >= saved.steps.size());
  explore::Gap gap{explore::Cause::kOneExecution};
  if (!replayed.followed)
    gap = {explore::Cause::kNotFollowed, std::to_string(result.steps)};
  else if (!saved.expect.empty() && result.findings.empty())
    gap = {explore::Cause::kOtherBug, saved.expect};
  result.gaps = {gap};
  if (const std::string note = following_note(saved, replayed); !note.empty())
    replayed.note += (replayed.note.empty() ? "" : "; ") + note;
}

std::optional<Error> write_coverage(const std::string& path, const trace::Coverage& coverage) {
  std::ofstream file(path, std::ios::trunc);
  file << report::lcov(coverage, "heddle") << std::flush;
  if (file) return std::nullopt;
  return Error{"cannot write \"" + path + "\"; check that its folder exists and is writable"};
}

}  // namespace heddle::cli
