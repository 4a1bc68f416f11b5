#include "native/supervisor/child_process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sstream>

extern char** environ;

namespace heddle::supervisor {
namespace {

// The input goes through a file in memory, not a pipe: a tool that writes before it has read everything would
// otherwise wait for us while we wait for it.
int input_file(const std::string& text) {
  if (text.empty()) return open("/dev/null", O_RDONLY | O_CLOEXEC);
  const int file = memfd_create("input", MFD_CLOEXEC);
  if (file < 0) return -1;
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t n = write(file, text.data() + done, text.size() - done);
    if (n <= 0) break;
    done += static_cast<std::size_t>(n);
  }
  lseek(file, 0, SEEK_SET);
  return file;
}

}  // namespace

Result<Finished> run_tool(const Tool& tool) {
  REQUIRE(!tool.command.empty());
  int ends[2];
  const int input = input_file(tool.input);
  if (input < 0 || pipe2(ends, O_CLOEXEC) != 0)
    return Error{std::string("cannot make a pipe: ") + std::strerror(errno) + "; close some files"};

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  if (tool.merge_errors) posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  std::vector<char*> argv;
  for (const std::string& word : tool.command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  close(input);
  if (failed != 0) {
    close(ends[0]);
    return Error{"cannot start " + tool.command[0] + ": " + std::strerror(failed) + "; install it"};
  }

  Finished finished;
  char buffer[1 << 14];
  while (true) {
    const ssize_t n = read(ends[0], buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    finished.output.append(buffer, static_cast<std::size_t>(n));
  }
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  finished.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return finished;
}

std::string find_in_path(const std::vector<std::string>& names) {
  const char* path = std::getenv("PATH");
  for (const std::string& name : names) {
    std::istringstream folders(path != nullptr ? path : "/usr/bin");
    for (std::string folder; std::getline(folders, folder, ':');) {
      const std::string candidate = folder + "/" + name;
      if (access(candidate.c_str(), X_OK) == 0) return candidate;
    }
  }
  return {};
}

}  // namespace heddle::supervisor
