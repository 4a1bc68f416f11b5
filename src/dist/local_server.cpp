#include "dist/local_server.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>
#include <vector>

extern char** environ;

namespace heddle::dist {
namespace {

// What the server writes down once it listens: {"nats":["nats://127.0.0.1:43210"]}.
std::string url_in(const std::string& folder) {
  std::error_code none;
  for (const auto& file : std::filesystem::directory_iterator(folder, none)) {
    std::ostringstream text;
    text << std::ifstream(file.path()).rdbuf();
    const std::string all = text.str();
    const std::size_t begin = all.find("nats://"), end = all.find('"', begin);
    if (begin != all.npos && end != all.npos) return all.substr(begin, end - begin);
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<LocalServer>> LocalServer::start() {
  std::unique_ptr<LocalServer> server(new LocalServer);
  char name[] = "/tmp/heddle-serve-XXXXXX";
  if (mkdtemp(name) == nullptr) return Error{"cannot make a folder in /tmp for a nats-server; make room there"};
  server->folder_ = name;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (const int fd : {0, 1, 2}) posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_RDWR, 0);
  posix_spawnattr_t own_group;  // Ctrl-C is for us
  posix_spawnattr_init(&own_group);
  posix_spawnattr_setflags(&own_group, POSIX_SPAWN_SETPGROUP);
  std::vector<std::string> words{"nats-server", "-a", "127.0.0.1", "-p", "-1", "--ports_file_dir", server->folder_};
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  int failed = posix_spawnp(&server->pid_, "nats-server", &actions, &own_group, argv.data(), environ);
  // Debian puts it where only root's PATH leads.
  if (failed != 0)
    failed = posix_spawn(&server->pid_, "/usr/sbin/nats-server", &actions, &own_group, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&own_group);
  if (failed != 0) {
    server->pid_ = 0;
    return Error{"cannot start nats-server; install the package nats-server"};
  }
  for (int tries = 0; tries < 200 && server->url_.empty(); ++tries) {
    std::this_thread::sleep_for(std::chrono::milliseconds(25));
    server->url_ = url_in(server->folder_);
  }
  if (server->url_.empty()) return Error{"nats-server does not listen five seconds after its start; start one by hand"};
  return server;
}

LocalServer::~LocalServer() {
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  std::error_code none;
  std::filesystem::remove_all(folder_, none);
}

}  // namespace heddle::dist
