#include "native/supervisor/worker.h"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>

#include "native/protocol/codec.h"
#include "native/supervisor/worker_process.h"

namespace heddle::supervisor {

using protocol::MessageType;
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

// How long a worker that was asked to stop may take to send what it has.
constexpr auto kGrace = 3s;
// How much longer than --max-seconds a worker may take before it is taken for stuck.
constexpr double kSlackSeconds = 10;

class Conversation {
 public:
  explicit Conversation(const WorkerLaunch& launch) : launch_(launch) {}
  Result<WorkerRun> run() {
    auto process =
        WorkerProcess::start(launch_.executable, launch_.options, {launch_.capture_output, launch_.plain_environment});
    if (!process) return process.error();
    process_ = std::move(*process);
    started_ = Clock::now();
    auto end = listen();
    if (!end) return end.error();
    WorkerRun done{std::move(*end), {}};
    process_->end();
    if (launch_.capture_output) done.output = process_->output();
    return done;
  }

 private:
  // Until the last message, the end of the stream, or our patience.
  Result<WorkerEnd> listen() {
    while (true) {
      pollfd waiting{process_->socket(), POLLIN, 0};
      const int ready = poll(&waiting, 1, 50);
      if (ready < 0 && errno != EINTR) return system_error("listen to a worker");
      if (ready > 0) {
        std::uint8_t buffer[1 << 16];
        const ssize_t n = read(process_->socket(), buffer, sizeof buffer);
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
  protocol::WorkerResult found_until(const std::string& reason) {
    protocol::WorkerResult found = std::move(*found_);
    found.result.gaps = {{explore::Cause::kWorkerEnded, reason}};
    found.result.executions = std::max(found.result.executions, progress_.executions);
    found.result.classes = std::max(found.result.classes, progress_.classes);
    found.result.steps = std::max(found.result.steps, progress_.steps);
    return found;
  }

  // Findings that it was about to explain are not lost with it.
  WorkerEnd stopped() {
    if (!found_) return EndedByUs{stop_cause_, progress_};
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
      const protocol::Bytes& payload = next->frame.payload;
      switch (next->frame.type) {
        case MessageType::kProgress: {
          auto progress = protocol::decode_progress(payload);
          if (!progress) return progress.error();
          progress_ = *progress;
          if (launch_.observer && !launch_.observer(progress_)) ask_to_stop("interrupted");
          break;
        }
        case MessageType::kResult: {
          auto result = protocol::decode_result(payload);
          if (!result) return result.error();
          return std::optional<WorkerEnd>(std::move(*result));
        }
        case MessageType::kFound: {
          auto found = protocol::decode_result(payload);
          if (!found) return found.error();
          found_ = std::move(*found);
          break;
        }
        case MessageType::kTests: {
          auto tests = protocol::decode_tests(payload);
          if (!tests) return tests.error();
          return std::optional<WorkerEnd>(std::move(*tests));
        }
        case MessageType::kPath: {
          auto path = protocol::decode_path(payload);
          if (!path) return path.error();
          if (launch_.on_path) launch_.on_path(*path);
          break;
        }
        case MessageType::kError: {
          auto message = protocol::decode_error(payload);
          if (!message || !found_) return message ? Error{*message} : message.error();
          return std::optional<WorkerEnd>(found_until(*message));
        }
        case MessageType::kOptions:
        case MessageType::kReady:
        case MessageType::kAsk:
        case MessageType::kNumber:
        case MessageType::kWork:
        case MessageType::kHurry:
        case MessageType::kAnswer:
          return Error{"the worker sent something else instead of a result; build the program again"};
      }
    }
  }

  // The stream ended without a result.
  Result<WorkerEnd> ended_early() {
    const int status = process_->wait_for_end();
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
    process_->signal(SIGTERM);
  }

  const WorkerLaunch& launch_;
  std::unique_ptr<WorkerProcess> process_;
  protocol::FrameReader frames_;
  explore::Progress progress_;
  Clock::time_point started_;
  std::optional<Clock::time_point> asked_to_stop_;
  std::string stop_cause_;
  std::optional<protocol::WorkerResult> found_;  // before it was explained
};

}  // namespace

Result<WorkerRun> run_worker(const WorkerLaunch& launch) { return Conversation(launch).run(); }

}  // namespace heddle::supervisor
