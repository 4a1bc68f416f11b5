// The program under test as the engine sees it (trace/program.h): run() rewinds the world and runs it once.
#pragma once

#include <optional>
#include <vector>

#include "native/protocol/messages.h"
#include "trace/program.h"

namespace heddle::runtime {

struct Checkpoint;

// What to call in every execution.
struct EntryPoint {
  int (*main)(int, char**, char**) = nullptr;
  void (*test)() = nullptr;  // instead of main
  int argc = 0;
  char** argv = nullptr;
  char** envp = nullptr;
};

class NativeProgram final : public trace::Program {
 public:
  NativeProgram(const EntryPoint& entry, const protocol::WorkerOptions& options);
  void run(const trace::Schedule& schedule, trace::Execution& execution) override;

  // A search relies on what is visible staying the same. When it changes, the search is void: the execution that
  // changed it is complete, and the next run says "diverged" at once, which ends the search.
  void begin_search();
  bool stale() const;

  // From now on it is run for an unfolding (sharing.h).
  void unfold();
  // From now on every execution runs in a process of its own.
  void isolate();
  bool isolated() const { return isolated_; }
  // Runs the first schedule twice. The first step that differs, or nothing.
  std::optional<explore::Parting> first_difference();

 private:
  void run_program(const trace::Schedule& schedule, trace::Execution& execution);
  void run_here(const trace::Schedule& schedule, trace::Execution& execution);
  void run_once(const trace::Schedule& schedule, trace::Execution& execution);
  void run_isolated(const trace::Schedule& schedule, trace::Execution& execution);
  void begin(const trace::Schedule& schedule, trace::Execution& execution);
  void begin_at(const Checkpoint& checkpoint, const trace::Schedule& schedule, trace::Execution& execution);
  void conclude(trace::Execution& execution);
  void judge_unfinished(trace::Execution& execution);
  static void report_livelocks(trace::Execution& execution);

  bool isolated_ = false;
  // Steps of the execution before, to see that what is run again happens again.
  const trace::Execution* last_execution_ = nullptr;
  bool ran_last_ = false;  // and was not followed
  std::vector<trace::Step> previous_;
};

}  // namespace heddle::runtime
