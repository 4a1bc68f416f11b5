// The cache: one folder per source, flags and compiler, holding the executable, the dependency file that the compiler
// wrote, and the state (size and time) of everything in it at the time of the build. An entry whose dependencies are
// unchanged is used as it is. With several sources there is no one dependency file, so those are always built. The
// folders used last are kept (cache.h).
#include "native/supervisor/build.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <mutex>
#include <sstream>
#include <thread>

#include "native/supervisor/cache.h"
#include "native/supervisor/child_process.h"

namespace heddle::supervisor {
namespace {

namespace fs = std::filesystem;

bool is_c(const std::string& source) { return fs::path(source).extension() == ".c"; }

// The wrapper lies beside `heddle` when installed and in ../bin of it in a build tree.
Result<fs::path> find_wrapper(const char* name) {
  std::error_code error;
  const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const fs::path& candidate : {folder / name, folder.parent_path() / "bin" / name})
    if (fs::exists(candidate, error)) return candidate;
  return Error{std::string(name) + " is not beside heddle in " + folder.string() +
               "; build or install Heddle completely"};
}

// "path size time", or only the path if the file is gone.
std::string state_of(const fs::path& file) {
  std::error_code error;
  const auto size = fs::file_size(file, error);
  if (error) return file.string();
  const auto time = fs::last_write_time(file, error).time_since_epoch().count();
  return file.string() + " " + std::to_string(size) + " " + std::to_string(time);
}

std::vector<std::string> compiler_command(const BuildRequest& request, const fs::path& wrapper) {
  const auto given = [&](std::string_view prefix) {
    return std::any_of(request.flags.begin(), request.flags.end(),
                       [&](const std::string& f) { return f.starts_with(prefix); });
  };
  std::vector<std::string> command = {wrapper.string(), "--heddle-instrument=" + request.instrument};
  if (request.symbolic) command.push_back("--heddle-symbolic=on");
  if (request.coverage) command.push_back("--heddle-coverage");
  if (!given("-O")) command.push_back("-O1");
  if (!given("-std=") && !is_c(request.source)) command.push_back("-std=c++20");
  command.push_back(request.source);
  command.insert(command.end(), request.flags.begin(), request.flags.end());
  return command;
}

// The files named in a make rule: "target: a.cpp b.h \<newline> c.h".
std::vector<std::string> prerequisites(const fs::path& dependency_file) {
  std::ifstream file(dependency_file);
  std::vector<std::string> files;
  std::string word;
  bool after_colon = false;
  while (file >> word) {
    if (word == "\\") continue;
    if (!after_colon)
      after_colon = word.ends_with(":");
    else
      files.push_back(word);
  }
  return files;
}

bool names_another_source(const std::vector<std::string>& flags) {
  std::error_code error;
  return std::any_of(flags.begin(), flags.end(), [&](const std::string& f) {
    return !f.empty() && f[0] != '-' && (f[0] == '@' || fs::is_regular_file(f, error));
  });
}

std::string read_whole(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return std::move(text).str();
}

std::string states_of(const fs::path& dependency_file) {
  std::string states;
  for (const std::string& file : prerequisites(dependency_file)) states += state_of(file) + "\n";
  return states;
}

// Says on a terminal what the user is waiting for, if it takes long.
class Patience {
 public:
  explicit Patience(const BuildRequest& request) {
    if (request.quiet || isatty(STDERR_FILENO) == 0) return;
    waiting_ = std::jthread([source = request.source](std::stop_token ended) {
      std::mutex mutex;
      std::condition_variable_any never;
      std::unique_lock lock(mutex);
      never.wait_for(lock, ended, std::chrono::seconds(1), [] { return false; });
      if (!ended.stop_requested()) std::fprintf(stderr, "heddle: compiling %s ...\n", source.c_str());
    });
  }

 private:
  std::jthread waiting_;
};

}  // namespace

Result<std::string> build(const BuildRequest& request) {
  auto wrapper = find_wrapper(is_c(request.source) ? "heddle-cc" : "heddle-c++");
  if (!wrapper) return wrapper.error();
  std::vector<std::string> command = compiler_command(request, *wrapper);

  std::error_code error;
  const fs::path library = wrapper->parent_path().parent_path() / "lib/heddle";
  std::string key = fs::current_path(error).string();
  for (const std::string& word : command) key += "\n" + word;
  for (const char* variable : {"HEDDLE_CC", "HEDDLE_CXX", "CPATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH"})
    if (const char* value = std::getenv(variable)) key += std::string("\n") + variable + "=" + value;
  for (const fs::path& part :
       {*wrapper, library / "HeddlePass.so", library / "libheddle_runtime.a", library / "wrapped_functions"})
    key += "\n" + state_of(part);

  std::ostringstream name;
  name << fs::path(request.source).stem().string() << "-" << std::hex << std::hash<std::string>{}(key);
  // Two runs of one source at the same time must not build into the same folder at once.
  auto cached = CacheFolder::open(name.str());
  if (!cached) return cached.error();
  const fs::path& folder = cached->path();
  const fs::path program = folder / fs::path(request.source).stem();
  const fs::path dependencies = folder / "dependencies";
  const fs::path states = folder / "states";
  const bool cacheable = !names_another_source(request.flags);
  if (cacheable && fs::exists(program, error) && fs::exists(states, error) &&
      read_whole(states) == states_of(dependencies))
    return program.string();

  command.insert(command.end(), {"-o", program.string()});
  if (cacheable) command.insert(command.end(), {"-MD", "-MF", dependencies.string()});
  fs::remove(states, error);
  auto finished = [&] {
    const Patience patience(request);
    return run_tool({command, "", false});
  }();
  if (!finished) return finished.error();
  if (finished->code != 0)
    return Error{"compiling \"" + request.source +
                 "\" failed (see above); flags for the compiler go after --, e.g. "
                 "`heddle run " +
                 request.source + " -- -std=c++20 -Iinclude`"};
  if (cacheable) std::ofstream(states, std::ios::binary) << states_of(dependencies);
  shrink_cache();
  return program.string();
}

Result<std::string> compiler_version() {
  auto wrapper = find_wrapper("heddle-c++");
  if (!wrapper) return wrapper.error();
  auto finished = run_tool({{wrapper->string(), "--version"}, "", false});
  if (!finished) return finished.error();
  if (finished->code != 0) return Error{"heddle-c++ found no compiler; install clang-19, or set HEDDLE_CXX"};
  return finished->output.substr(0, finished->output.find('\n'));
}

}  // namespace heddle::supervisor
