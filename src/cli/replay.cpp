// `heddle replay`: one execution along a saved schedule.
#include <filesystem>
#include <fstream>
#include <sstream>

#include "cli/commands.h"
#include "cli/front_end.h"
#include "cli/present.h"

namespace heddle::cli {
namespace {

constexpr std::uintmax_t kLargestSchedule = 1u << 30;

Result<std::string> read_file(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return Error{"there is no file \"" + path + "\"; check the path"};
  if (!std::filesystem::is_regular_file(path, error) || std::filesystem::file_size(path, error) > kLargestSchedule)
    return Error{"\"" + path + "\" is not a schedule file; name one written by `heddle run ... --save=FILE`"};
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) return Error{"cannot read \"" + path + "\"; check its permissions"};
  return std::move(text).str();
}

// The program's path was saved as the user gave it. It is looked for from here, then from the schedule's folder,
// so that the two files can travel together.
std::string locate(const std::string& program, const std::string& schedule) {
  std::error_code error;
  if (std::filesystem::exists(program, error)) return program;
  const auto beside = std::filesystem::path(schedule).parent_path() / std::filesystem::path(program).filename();
  return std::filesystem::exists(beside, error) ? beside.string() : program;
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

}  // namespace

Result<int> replay(const ReplayRequest& request) {
  auto text = read_file(request.schedule);
  if (!text) return text.error();
  auto saved = trace::parse_schedule(*text);
  if (!saved) return Error{request.schedule + ": " + saved.error().message};
  if (saved->program.empty())
    return Error{request.schedule + ": the schedule names no program; save it again with `heddle run ... --save=FILE`"};
  saved->program = locate(saved->program, request.schedule);
  auto explored = replay_by_kind(*saved);
  if (!explored) return explored.error();
  return present(*explored, {request.json, std::nullopt, request.reports, request.quiet});
}

}  // namespace heddle::cli
