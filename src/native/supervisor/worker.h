// A worker process: the executable under test, told what to do and listened to.
#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "native/protocol/messages.h"

namespace heddle::supervisor {

using Observer = std::function<bool(const explore::Progress&)>;

// What became of a worker.
struct Killed {
  std::string cause;       // "signal 9 (Killed)", "exit code 1 before it had a result"
  bool by_itself = false;  // it chose to end: it will again
  bool crashed = false;    // by a fault of its own
  explore::Progress last;  // what it had reported
  std::optional<protocol::WorkerResult> found = std::nullopt;  // findings until then
};
struct EndedByUs {  // we ended it: the observer said so, or it was far over its time
  std::string cause;
  explore::Progress last;
};
using WorkerEnd = std::variant<protocol::WorkerResult, std::vector<std::string>, Killed, EndedByUs>;

struct WorkerLaunch {
  std::string executable;
  protocol::WorkerOptions options;
  Observer observer;                                                // may be empty
  bool capture_output = false;                                      // otherwise the program's output goes nowhere
  std::function<void(const protocol::ExploredPath&)> on_path = {};  // InputOptions::send_paths
  bool plain_environment = false;                                   // see StartOptions
};

struct WorkerRun {
  WorkerEnd end;
  std::string output;  // of the program, if captured
};

// Exit code of a worker for an internal error (native/runtime/raw.h).
inline constexpr int kInternalError = 70;

// Runs the worker to its end. An error if it cannot be started or says that it cannot do what it was asked.
Result<WorkerRun> run_worker(const WorkerLaunch& launch);

}  // namespace heddle::supervisor
