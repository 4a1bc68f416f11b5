// Native programs, from the command's side: build, launch, listen, name. The engine runs inside the worker.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "dist/transport.h"
#include "native/protocol/messages.h"
#include "native/supervisor/executable.h"
#include "native/supervisor/suppressions.h"
#include "native/supervisor/worker.h"
#include "trace/coverage.h"
#include "trace/program.h"

namespace heddle::supervisor {

// Several explorers of one search, or one that is kept in a file.
struct Together {
  std::uint32_t jobs = 1;
  std::optional<std::string> journal;
  std::string settings;                    // beside the algorithm, all that decides what is explored
  std::optional<dist::Credentials> serve;  // hands on other machines join in
  std::string build;                       // that these must have
};

struct NativeOptions {
  std::string program;                          // a C or C++ source, or an executable built by heddle-cc or heddle-c++
  std::vector<std::string> flags;               // for the compiler, if it is a source
  std::vector<std::string> arguments;           // for the program
  std::string instrument = "pass";              // or "tsan", if it is a source
  bool symbolic = false;                        // inputs are tracked in every file, if it is a source
  bool coverage = false;                        // lines and branches are counted, if it is a source
  bool quiet = false;                           // nothing is said while it is compiled
  std::vector<Suppression> suppressions;        // races that are no findings
  std::vector<property::Statement> properties;  // besides those in the source
  bool relax = false;                           // which orders could be weaker, if nothing fails
  protocol::WorkerOptions worker;
  std::optional<Together> together;
  bool any_memory = false;  // the program's orders may decide on the memory model, and so on the algorithm
  // What was learnt holds for this program only; for another one it is left out.
  std::optional<std::uint64_t> learnt_about;
  Observer observer;
};

struct NativeRun {
  explore::ExploreResult result;
  std::unique_ptr<trace::Describer> describer;
  std::uint64_t identity = 0;
  std::vector<protocol::Learnt> learnt;  // what the findings' schedules rely on
  std::string note;                      // the worker had to run in another way, or was started again
  std::uint64_t followed = 0;            // executions of known steps, which were not run
  std::string output;                    // of the first failing execution
  bool skipped = false;                  // a test that says it is not to be run
  bool alone = false;                    // no second thread was started, and no other path taken
  protocol::InputReport inputs;
  std::vector<property::Statement> properties;  // that were looked at
  std::vector<protocol::ExploredPath> paths;    // InputOptions::send_paths
  trace::Coverage coverage;                     // WorkerOptions::coverage
  bool weaker_orders = false;                   // it asks for less than sequential consistency, which it was given
  bool own_orders = false;                      // ... by orders, not only by attempts and what the library tells it
  explore::StrategyOptions strategy = {};       // with which it was explored
};

Result<NativeRun> run_native(const NativeOptions& options);

// One execution along `options.worker.replay`. Whether the program is still the same is for the caller to see.
Result<NativeRun> replay_native(const NativeOptions& options);

// Names of the tests in the program; none: it is a whole program.
Result<std::vector<std::string>> list_tests(const NativeOptions& options);

// The program, built if it is a source, and what is known about it.
struct Prepared {
  std::string executable;
  std::uint64_t identity = 0;
  TestFramework framework = TestFramework::kNone;  // see executable.h
  bool has_tests = false;
  protocol::PropertyOptions properties = {};
};
Result<Prepared> prepare(const NativeOptions& options);
// The worker's options with all that only the supervisor knows.
protocol::WorkerOptions worker_options(const NativeOptions& options, const Prepared& prepared);

bool is_source(const std::string& program);

}  // namespace heddle::supervisor
