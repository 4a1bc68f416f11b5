#include "cli/watch.h"

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <map>
#include <thread>

#include "cli/progress.h"
#include "cli/settings.h"

namespace heddle::cli {
namespace {

namespace fs = std::filesystem;
using State = std::pair<std::uintmax_t, fs::file_time_type>;
using Files = std::map<std::string, State>;

constexpr auto kBetween = std::chrono::milliseconds(250);
constexpr std::size_t kMostFiles = 20'000;

void add(Files& files, const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return;
  const auto size = fs::file_size(path, error);
  const auto time = fs::last_write_time(path, error);
  if (!error) files[path.lexically_normal().string()] = {size, time};
}

bool is_source(const fs::path& path) {
  for (const char* ending : {".hed", ".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".hxx", ".inl", ".ipp"})
    if (path.extension() == ending) return true;
  return false;
}

Files files_of(const RunRequest& request) {
  Files files;
  add(files, request.program);
  for (const std::string& flag : request.native.flags) add(files, flag);
  if (const auto settings = find_settings(".")) add(files, *settings);
  if (!is_source(request.program)) return files;
  const fs::path folder = fs::path(request.program).parent_path();
  std::error_code error;
  fs::recursive_directory_iterator at(folder.empty() ? "." : folder, fs::directory_options::skip_permission_denied,
                                      error);
  for (const fs::recursive_directory_iterator end; at != end && files.size() < kMostFiles; at.increment(error)) {
    if (at->path().filename().string().starts_with(".")) at.disable_recursion_pending();
    if (is_source(at->path())) add(files, at->path());
  }
  return files;
}

// What is different; empty: nothing.
std::string changed(const Files& before, const Files& now) {
  for (const auto& [path, state] : now)
    if (const auto known = before.find(path); known == before.end() || known->second != state) return path;
  for (const auto& [path, state] : before)
    if (!now.contains(path)) return path;
  return {};
}

}  // namespace

Result<int> watch(const RunRequest& request, const std::function<Result<int>()>& run) {
  Files files = files_of(request);
  for (;;) {
    Result<int> code = run();
    if (!code) std::fprintf(stderr, "heddle: %s\n", code.error().message.c_str());
    Interruption interruption;
    std::fprintf(stderr, "watching %zu file%s; Ctrl-C ends\n", files.size(), files.size() == 1 ? "" : "s");
    std::fflush(stdout);
    for (std::string what; what.empty();) {
      if (interruption.requested()) return code ? *code : kExitError;
      std::this_thread::sleep_for(kBetween);
      Files now = files_of(request);
      what = changed(files, now);
      if (what.empty()) continue;
      for (Files later; !changed(now, later = files_of(request)).empty(); now = std::move(later))
        std::this_thread::sleep_for(kBetween);  // somebody is still writing
      std::fprintf(stderr, "changed: %s\n", what.c_str());
      files = std::move(now);
    }
  }
}

}  // namespace heddle::cli
