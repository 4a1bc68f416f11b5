// The worker runs with address space randomisation off and everything bound at start, because addresses identify
// objects from one execution to the next and lazy binding writes to memory that is rewound. It has a process group of
// its own, so that Ctrl-C reaches `heddle` only, which then ends the worker and the copy that stands by in case it is
// killed (runtime/standby.h); and it dies with `heddle`.
#include "native/supervisor/worker_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

extern char** environ;

namespace heddle::supervisor {
namespace {

// The environment with what the worker needs. Prepared before the fork.
struct Ends {
  int options, results, solver;
};
std::vector<std::string> worker_environment(const Ends& ends, bool plain) {
  std::vector<std::string> all;
  if (plain) all = {"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/", "LANG=C.UTF-8"};
  for (char** entry = environ; *entry != nullptr && !plain; ++entry) {
    const std::string_view text(*entry);
    if (!text.starts_with("HEDDLE_WORKER=") && !text.starts_with("LD_BIND_NOW=")) all.emplace_back(text);
  }
  all.push_back("HEDDLE_WORKER=" + std::to_string(ends.options) + "," + std::to_string(ends.results) + "," +
                std::to_string(ends.solver));
  all.push_back("LD_BIND_NOW=1");
  return all;
}

std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> all;
  for (const std::string& word : words) all.push_back(const_cast<char*>(word.c_str()));
  all.push_back(nullptr);
  return all;
}

}  // namespace

void Descriptor::reset() {
  if (fd_ >= 0) close(fd_);
  fd_ = -1;
}

Error system_error(const std::string& what) {
  return Error{"cannot " + what + ": " + std::strerror(errno) + "; free some memory, files or processes"};
}

bool write_all(int fd, const protocol::Bytes& bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t n = write(fd, bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    done += static_cast<std::size_t>(n);
  }
  return true;
}

Result<std::unique_ptr<WorkerProcess>> WorkerProcess::start(const std::string& executable,
                                                            const protocol::WorkerOptions& options,
                                                            const StartOptions& how) {
  std::unique_ptr<WorkerProcess> process(new WorkerProcess);
  if (auto error = process->launch(executable, options, how)) return *error;
  return process;
}

WorkerProcess::~WorkerProcess() { end(); }

void WorkerProcess::end() {
  if (pid_ <= 0) return;
  signal(SIGKILL);
  wait_for_end();
}

void WorkerProcess::signal(int number) const {
  if (pid_ > 0) kill(-pid_, number);
}

std::optional<Error> WorkerProcess::launch(const std::string& executable, const protocol::WorkerOptions& options,
                                           const StartOptions& how) {
  auto solvers = SolverService::start();
  if (!solvers) return solvers.error();
  solvers_ = std::move(*solvers);
  Descriptor file(memfd_create("options", 0));
  int ends[2];
  if (file.get() < 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return system_error("talk to a worker");
  socket_ = Descriptor(ends[0]);
  const Descriptor worker_end(ends[1]);
  fcntl(socket_.get(), F_SETFD, FD_CLOEXEC);
  if (!write_all(file.get(), protocol::encode(options)) || lseek(file.get(), 0, SEEK_SET) != 0)
    return system_error("send a worker its options");
  output_ =
      Descriptor(how.capture_output ? memfd_create("output", MFD_CLOEXEC) : open("/dev/null", O_WRONLY | O_CLOEXEC));
  const Descriptor input(open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (output_.get() < 0 || input.get() < 0) return system_error("redirect a worker's output");

  const std::vector<std::string> environment =
      worker_environment({file.get(), worker_end.get(), solvers_->worker_end()}, how.plain_environment);
  const std::vector<std::string> arguments =
      options.arguments.empty() ? std::vector<std::string>{executable} : options.arguments;
  const std::vector<char*> argv = pointers(arguments), envp = pointers(environment);
  const pid_t parent = getpid();
  pid_ = fork();
  if (pid_ < 0) return system_error("start a worker");
  if (pid_ == 0) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(127);
    fcntl(solvers_->worker_end(), F_SETFD, 0);
    personality(ADDR_NO_RANDOMIZE | static_cast<unsigned long>(personality(0xffffffff)));
    dup2(input.get(), STDIN_FILENO);
    dup2(output_.get(), STDOUT_FILENO);
    dup2(output_.get(), STDERR_FILENO);
    execve(executable.c_str(), argv.data(), envp.data());
    _exit(127);
  }
  setpgid(pid_, pid_);  // both sides, so that the group is there whoever comes first
  solvers_->close_worker_end();
  return std::nullopt;
}

int WorkerProcess::wait_for_end() {
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = 0;
  return status;
}

std::string WorkerProcess::output() const {
  constexpr off_t kMost = 1 << 20;
  std::string text(static_cast<std::size_t>(std::min(kMost, lseek(output_.get(), 0, SEEK_END))), '\0');
  const ssize_t n = pread(output_.get(), text.data(), text.size(), 0);
  text.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  return text;
}

}  // namespace heddle::supervisor
