#include "native/runtime/debugging.h"

#include <stdlib.h>

#include "explore/explorer.h"
#include "native/runtime/learnt.h"
#include "native/runtime/race_detector.h"
#include "native/runtime/raw.h"

// A function that does nothing but can be stopped in: neither inlined nor thought away.
#define BREAKPOINT_HERE asm volatile("" ::: "memory")

extern "C" {

constinit std::uint64_t heddle_stop_at = 0;
constinit std::uint64_t heddle_last_step = 0;

__attribute__((noinline)) void heddle_at_step(std::uint64_t, std::uint32_t) { BREAKPOINT_HERE; }
__attribute__((noinline)) void heddle_at_failure(std::uint64_t, const char*) { BREAKPOINT_HERE; }
__attribute__((noinline)) void heddle_at_end(std::uint64_t, const char*) { BREAKPOINT_HERE; }
}

namespace heddle::runtime {
namespace {

std::string how_it_ended(const trace::Execution& execution) {
  if (execution.outcome == trace::Outcome::kDiverged)
    return "the schedule could not be followed beyond step " + std::to_string(execution.diverged_at);
  std::string text = "the execution is over";
  if (rt.exited) text += ", exit code " + std::to_string(rt.exit_code);
  return text;
}

}  // namespace

void show_step_to_debugger(const Step& step) {
  // A wake-up took the pending timeout back: it is not performed.
  if (step.op.kind == OpKind::kTimeout && rt.self().woken) return;
  const std::uint64_t number = rt.conductor.position() + 1;
  heddle_last_step = number;
  if (number >= heddle_stop_at) heddle_at_step(number, rt.current.value);
}

void show_failure_to_debugger(const trace::Failure& failure) {
  heddle_at_failure(failure.step, failure.message.c_str());
}

void replay_for_debugger(const EntryPoint& entry, const protocol::WorkerOptions& options) {
  if (const char* first = getenv("HEDDLE_STOP_AT")) heddle_stop_at = strtoull(first, nullptr, 10);
  NativeProgram program(entry, options);
  for (const protocol::Learnt& lesson : options.learnt) learn(lesson);
  program.begin_search();
  rt.debugged = rt.output_shown = true;
  trace::Execution execution;
  explore::replay(program, *options.replay, execution);
  // Failures of nobody in particular, such as deadlocks, are known only now.
  for (const trace::Failure& failure : execution.failures)
    if (failure.kind == trace::FailureKind::kDeadlock || failure.kind == trace::FailureKind::kLivelock)
      show_failure_to_debugger(failure);
  heddle_at_end(execution.steps.size(), how_it_ended(execution).c_str());
  raw::exit(rt.exited ? rt.exit_code : execution.failures.empty() ? 0 : 134);
}

}  // namespace heddle::runtime
