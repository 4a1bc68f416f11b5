// The worker runs with address space randomisation off and everything bound at start, because addresses identify
// objects from one execution to the next and lazy binding writes to memory that is rewound. It has a process group of
// its own, so that Ctrl-C reaches `heddle` only, which then ends the worker and the copy that stands by in case it is
// killed (runtime/standby.h); and it dies with `heddle`.
#include "native/supervisor/worker.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>

#include "native/protocol/codec.h"
#include "native/supervisor/solver_service.h"

extern char** environ;

namespace heddle::native {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

// How long a worker that was asked to stop may take to send what it has.
constexpr auto kGrace = 3s;
// How much longer than --max-seconds a worker may take before it is taken for stuck.
constexpr double kSlackSeconds = 10;

class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor() { reset(); }
  void reset() {
    if (fd_ >= 0) close(fd_);
    fd_ = -1;
  }
  int get() const { return fd_; }

 private:
  int fd_;
};

Error system_error(const std::string& what) {
  return Error{"cannot " + what + ": " + std::strerror(errno) + "; free some memory, files or processes"};
}

bool write_all(int fd, const Bytes& bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t n = write(fd, bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    done += static_cast<std::size_t>(n);
  }
  return true;
}

// The environment with what the worker needs. Prepared before the fork.
std::vector<std::string> worker_environment(int options, int results, int solver) {
  std::vector<std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    if (!text.starts_with("HEDDLE_WORKER=") && !text.starts_with("LD_BIND_NOW=")) all.emplace_back(text);
  }
  all.push_back("HEDDLE_WORKER=" + std::to_string(options) + "," + std::to_string(results) + "," +
                std::to_string(solver));
  all.push_back("LD_BIND_NOW=1");
  return all;
}

std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> all;
  for (const std::string& word : words) all.push_back(const_cast<char*>(word.c_str()));
  all.push_back(nullptr);
  return all;
}

class WorkerProcess {
 public:
  explicit WorkerProcess(const WorkerLaunch& launch) : launch_(launch) {}
  ~WorkerProcess() {
    if (pid_ <= 0) return;
    kill(-pid_, SIGKILL);
    wait_for_end();
  }
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  Result<WorkerRun> run() {
    if (auto error = start()) return *error;
    auto end = listen();
    if (!end) return end.error();
    WorkerRun done{std::move(*end), {}};
    if (pid_ > 0) {
      kill(-pid_, SIGKILL);
      wait_for_end();
    }
    if (launch_.capture_output) done.output = captured();
    return done;
  }

 private:
  std::optional<Error> start() {
    auto solvers = SolverService::start();
    if (!solvers) return solvers.error();
    solvers_ = std::move(*solvers);
    Descriptor options(memfd_create("options", 0));
    int ends[2];
    if (options.get() < 0 || pipe(ends) != 0) return system_error("talk to a worker");
    results_ = Descriptor(ends[0]);
    Descriptor result_end(ends[1]);
    fcntl(results_.get(), F_SETFD, FD_CLOEXEC);
    if (!write_all(options.get(), encode(launch_.options)) || lseek(options.get(), 0, SEEK_SET) != 0)
      return system_error("send a worker its options");
    output_ = Descriptor(launch_.capture_output ? memfd_create("output", MFD_CLOEXEC)
                                                : open("/dev/null", O_WRONLY | O_CLOEXEC));
    const Descriptor input(open("/dev/null", O_RDONLY | O_CLOEXEC));
    if (output_.get() < 0 || input.get() < 0) return system_error("redirect a worker's output");

    const std::vector<std::string> environment =
        worker_environment(options.get(), result_end.get(), solvers_->worker_end());
    const std::vector<std::string> arguments =
        launch_.options.arguments.empty() ? std::vector<std::string>{launch_.executable} : launch_.options.arguments;
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
      execve(launch_.executable.c_str(), argv.data(), envp.data());
      _exit(127);
    }
    setpgid(pid_, pid_);  // both sides, so that the group is there whoever comes first
    solvers_->close_worker_end();
    started_ = Clock::now();
    return std::nullopt;
  }

  // Until the last message, the end of the stream, or our patience.
  Result<WorkerEnd> listen() {
    while (true) {
      pollfd waiting{results_.get(), POLLIN, 0};
      const int ready = poll(&waiting, 1, 50);
      if (ready < 0 && errno != EINTR) return system_error("listen to a worker");
      if (ready > 0) {
        std::uint8_t buffer[1 << 16];
        const ssize_t n = read(results_.get(), buffer, sizeof buffer);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return ended_early();
        frames_.append({buffer, static_cast<std::size_t>(n)});
        auto last = take_frames();
        if (!last) return last.error();
        if (*last) return std::move(**last);
      }
      check_patience();
      if (asked_to_stop_ && Clock::now() > *asked_to_stop_ + kGrace) return stopped();
    }
  }

  // What it had found when it came to an end before its time.
  WorkerResult found_until(const std::string& reason) {
    WorkerResult found = std::move(*found_);
    found.result.gaps = {{explore::Cause::kWorkerEnded, reason}};
    found.result.executions = std::max(found.result.executions, progress_.executions);
    found.result.classes = std::max(found.result.classes, progress_.classes);
    found.result.steps = std::max(found.result.steps, progress_.steps);
    return found;
  }

  // Findings that it was about to explain are not lost with it.
  WorkerEnd stopped() {
    if (!found_) return Stopped{stop_cause_, progress_};
    if (found_->result.executions == 0) return found_until(stop_cause_);  // in the middle of the search
    found_->note +=
        (found_->note.empty() ? "" : "; ") + std::string("findings are shown as they were found: ") + stop_cause_;
    return std::move(*found_);
  }

  Result<std::optional<WorkerEnd>> take_frames() {
    while (true) {
      auto next = frames_.next();
      if (!next) return next.error();
      if (!next->complete) return std::optional<WorkerEnd>();
      const Bytes& payload = next->frame.payload;
      switch (next->frame.type) {
        case MessageType::kProgress: {
          auto progress = decode_progress(payload);
          if (!progress) return progress.error();
          progress_ = *progress;
          if (launch_.observer && !launch_.observer(progress_)) ask_to_stop("interrupted");
          break;
        }
        case MessageType::kResult: {
          auto result = decode_result(payload);
          if (!result) return result.error();
          return std::optional<WorkerEnd>(std::move(*result));
        }
        case MessageType::kFound: {
          auto found = decode_result(payload);
          if (!found) return found.error();
          found_ = std::move(*found);
          break;
        }
        case MessageType::kTests: {
          auto tests = decode_tests(payload);
          if (!tests) return tests.error();
          return std::optional<WorkerEnd>(std::move(*tests));
        }
        case MessageType::kPath: {
          auto path = decode_path(payload);
          if (!path) return path.error();
          if (launch_.on_path) launch_.on_path(*path);
          break;
        }
        case MessageType::kError: {
          auto message = decode_error(payload);
          if (!message || !found_) return message ? Error{*message} : message.error();
          return std::optional<WorkerEnd>(found_until(*message));
        }
        case MessageType::kOptions:
          return Error{"the worker sent options instead of a result; build the program again"};
      }
    }
  }

  // The stream ended without a result.
  Result<WorkerEnd> ended_early() {
    const int status = wait_for_end();
    if (asked_to_stop_) return stopped();
    Killed killed;
    killed.last = progress_;
    if (WIFSIGNALED(status)) {
      const int signal = WTERMSIG(status);
      killed.cause = "signal " + std::to_string(signal) + " (" + strsignal(signal) + ")";
      killed.crashed = signal != SIGKILL && signal != SIGTERM;
      if (found_) killed.found = found_until("the worker ended by " + killed.cause);
      return WorkerEnd(std::move(killed));
    }
    if (WEXITSTATUS(status) == 127)
      return Error{"cannot start \"" + launch_.executable +
                   "\"; check that it is executable and its libraries are found"};
    killed.by_itself = true;
    killed.crashed = WEXITSTATUS(status) == kInternalError;
    killed.cause = "exit code " + std::to_string(WEXITSTATUS(status)) + " before it had a result";
    if (found_) killed.found = found_until("the worker ended with " + killed.cause);
    return WorkerEnd(std::move(killed));
  }

  void check_patience() {
    // No progress message arrives while an execution is stuck, so the observer is asked here as well.
    if (launch_.observer && !asked_to_stop_ && !launch_.observer(progress_)) ask_to_stop("interrupted");
    if (!launch_.options.max_seconds || asked_to_stop_) return;
    const std::chrono::duration<double> spent = Clock::now() - started_;
    if (spent.count() > *launch_.options.max_seconds + kSlackSeconds)
      ask_to_stop("the worker did not stop by itself when its time was over");
  }

  void ask_to_stop(const std::string& cause) {
    if (asked_to_stop_) return;
    stop_cause_ = cause;
    asked_to_stop_ = Clock::now();
    kill(-pid_, SIGTERM);
  }

  int wait_for_end() {
    int status = 0;
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    pid_ = 0;
    return status;
  }

  std::string captured() const {
    constexpr off_t kMost = 1 << 20;
    std::string text(static_cast<std::size_t>(std::min(kMost, lseek(output_.get(), 0, SEEK_END))), '\0');
    const ssize_t n = pread(output_.get(), text.data(), text.size(), 0);
    text.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
    return text;
  }

  const WorkerLaunch& launch_;
  pid_t pid_ = 0;
  Descriptor results_;
  Descriptor output_;
  FrameReader frames_;
  std::unique_ptr<SolverService> solvers_;
  explore::Progress progress_;
  Clock::time_point started_;
  std::optional<Clock::time_point> asked_to_stop_;
  std::string stop_cause_;
  std::optional<WorkerResult> found_;  // before it was explained
};

}  // namespace

Result<WorkerRun> run_worker(const WorkerLaunch& launch) { return WorkerProcess(launch).run(); }

}  // namespace heddle::native
