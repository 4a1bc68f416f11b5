// The program under test as the engine sees it (trace/program.h): run() rewinds the world and runs it once.
#pragma once

#include "native/protocol/messages.h"
#include "trace/program.h"

namespace heddle::native {

// What to call in every execution.
struct EntryPoint {
  int (*main)(int, char**, char**) = nullptr;
  void (*test)() = nullptr;              // instead of main
  int argc = 0;
  char** argv = nullptr;
  char** envp = nullptr;
};

class NativeProgram final : public trace::Program {
 public:
  NativeProgram(const EntryPoint& entry, const WorkerOptions& options);
  void run(const trace::Schedule& schedule, trace::Execution& execution) override;

  // A search relies on what is visible staying the same. When it changes, the search is void: the execution that
  // changed it is complete, and the next run says "diverged" at once, which ends the search.
  void begin_search();
  bool stale() const;

 private:
  void begin(const trace::Schedule& schedule, trace::Execution& execution);
  void conclude(trace::Execution& execution);
  void judge_unfinished(trace::Execution& execution);
};

}  // namespace heddle::native
