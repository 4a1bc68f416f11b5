#include "native/supervisor/debugger.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "native/protocol/codec.h"

namespace heddle::supervisor {
namespace {

namespace fs = std::filesystem;

// Installed beside the command, in a build tree as well.
Result<std::string> find_commands() {
  std::error_code error;
  const fs::path own = fs::read_symlink("/proc/self/exe", error);
  const fs::path script = own.parent_path().parent_path() / "share/heddle/gdb/heddle.py";
  if (!error && fs::exists(script, error)) return script.string();
  return Error{"there is no \"" + script.string() + "\"; install Heddle completely, its gdb commands are missing"};
}

bool on_path(const char* command) {
  const char* variable = std::getenv("PATH");
  std::string rest = variable != nullptr ? variable : "";
  while (!rest.empty()) {
    const std::string folder = rest.substr(0, rest.find(':'));
    rest.erase(0, folder.size() + 1);
    if (access((folder + "/" + command).c_str(), X_OK) == 0) return true;
  }
  return false;
}

// A folder that goes away with the session.
class SessionFolder {
 public:
  SessionFolder() {
    std::error_code error;
    std::string name = (fs::temp_directory_path(error) / "heddle-gdb-XXXXXX").string();
    if (!error && mkdtemp(name.data()) != nullptr) path_ = name;
  }
  ~SessionFolder() {
    std::error_code error;
    if (!path_.empty()) fs::remove_all(path_, error);
  }
  SessionFolder(const SessionFolder&) = delete;
  SessionFolder& operator=(const SessionFolder&) = delete;

  bool write(const char* name, std::string_view text) const {
    if (path_.empty()) return false;
    std::ofstream file(fs::path(path_) / name, std::ios::binary);
    file << text << std::flush;
    return static_cast<bool>(file);
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// gdb has the terminal, and Ctrl-C is for it.
int run_gdb(const std::string& executable, const std::string& commands, const std::string& session) {
  const pid_t child = fork();
  if (child == 0) {
    setenv("HEDDLE_SESSION", session.c_str(), 1);
    execlp("gdb", "gdb", "-q", "-iex", "set debuginfod enabled off", executable.c_str(), "-x", commands.c_str(),
           nullptr);
    _exit(127);
  }
  struct sigaction ignore{}, before{};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGINT, &ignore, &before);
  int status = 0;
  while (child > 0 && waitpid(child, &status, 0) < 0) {
  }
  sigaction(SIGINT, &before, nullptr);
  return child > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

}  // namespace

Result<int> debug_native(const NativeOptions& options, const DebugMaterial& material) {
  REQUIRE(options.worker.replay.has_value());
  if (!on_path("gdb")) return Error{"there is no gdb on the path; install it (on Debian: apt install gdb)"};
  auto commands = find_commands();
  if (!commands) return commands.error();
  auto prepared = prepare(options);
  if (!prepared) return prepared.error();
  protocol::WorkerOptions worker = worker_options(options, *prepared);
  worker.backend = protocol::Backend::kThreads;
  const protocol::Bytes frame = protocol::encode(worker);
  std::string threads;
  for (const std::string& name : material.threads) threads += name + "\n";
  const SessionFolder session;
  if (!session.write("options", {reinterpret_cast<const char*>(frame.data()), frame.size()}) ||
      !session.write("report.json", material.report) || !session.write("threads", threads))
    return Error{"cannot write files for gdb into the temporary folder; check TMPDIR"};
  return run_gdb(prepared->executable, *commands, session.path());
}

}  // namespace heddle::supervisor
