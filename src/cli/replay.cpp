// `heddle replay`: one execution along a saved schedule, or everything that can follow a part of it.
#include <algorithm>
#include <cstdio>
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

// The program's path was saved as the user gave it. It is looked for from here, then from the schedule's folder and the
// folders above it, so that a schedule works from anywhere in a project; then beside the schedule, so that the two
// files can travel together.
Result<std::string> locate(const std::string& program, const std::string& schedule) {
  namespace fs = std::filesystem;
  std::error_code error;
  std::vector<fs::path> candidates{program};
  const fs::path home = fs::absolute(schedule, error).parent_path().lexically_normal();
  if (fs::path(program).is_relative())
    for (fs::path folder = home;; folder = folder.parent_path()) {
      candidates.push_back((folder / program).lexically_normal());
      if (folder == folder.root_path()) break;
    }
  candidates.push_back(home / fs::path(program).filename());
  for (const fs::path& candidate : candidates)
    if (fs::exists(candidate, error)) return candidate.string();
  const std::string places =
      fs::path(program).is_relative() ? "from here, from \"" + home.string() + "\" and the folders above" : "there";
  return Error{"the schedule names the program \"" + program + "\", but there is no file like that (looked for " +
               places + ", and beside the schedule); name it with `heddle replay " + schedule + " PROGRAM`"};
}

// `--prefix-only`: an exploration of all that can follow, once the prefix is known to fit.
Result<int> explore_behind(trace::SavedSchedule saved, const ReplayRequest& request) {
  auto run_request = request_of(saved);
  if (!run_request) return run_request.error();
  saved.expect.clear();
  auto replayed = replay_by_kind(saved);
  if (!replayed) return replayed.error();
  const std::string note = following_note(saved, *replayed);
  if (!replayed->followed)
    return Error{
        note + "; explore what can follow these with --prefix-only --steps=" + std::to_string(replayed->result.steps)};
  if (!note.empty()) std::fprintf(stderr, "note: %s\n", note.c_str());
  run_request->prefix = saved.steps;
  run_request->json = request.json;
  run_request->reports = request.reports;
  run_request->quiet = request.quiet;
  return run(*run_request);
}

// `--gdb`: what happened is known from the replay just made; gdb shows how.
Result<int> debug(const trace::SavedSchedule& saved, const ExploredProgram& replayed) {
  if (saved.program.ends_with(".hed"))
    return Error{"--gdb is for C and C++ programs, and \"" + saved.program + "\" is a model; drop it"};
  if (replayed.result.findings.empty())
    return Error{"the schedule leads to no failure (" + replayed.result.reason() +
                 "), so there is nothing to stop at; " + "find the bug again with `heddle run " + saved.program +
                 " --save=FILE`"};
  if (!replayed.note.empty()) std::fprintf(stderr, "note: %s\n", replayed.note.c_str());
  return debug_native(saved, replayed);
}

}  // namespace

Result<int> replay(const ReplayRequest& request) {
  auto text = read_file(request.schedule);
  if (!text) return text.error();
  auto saved = trace::parse_schedule(*text);
  if (!saved) return Error{request.schedule + ": " + saved.error().message};
  if (saved->program.empty() && request.program.empty())
    return Error{request.schedule + ": the schedule names no program; save it again with `heddle run ... --save=FILE`"};
  if (request.program.empty()) {
    auto program = locate(saved->program, request.schedule);
    if (!program) return program.error();
    saved->program = *program;
  } else {
    saved->program = request.program;
  }
  if (request.steps) saved->steps.resize(std::min(*request.steps, saved->steps.size()));
  if (request.prefix_only) return explore_behind(*saved, request);
  // Of a part of the schedule nothing is expected.
  if (request.steps) saved->expect.clear();
  auto explored = replay_by_kind(*saved);
  if (!explored) return explored.error();
  if (request.gdb) return debug(*saved, *explored);
  return present(*explored, {request.json, std::nullopt, request.reports, request.quiet, true});
}

}  // namespace heddle::cli
