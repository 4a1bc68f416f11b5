// What a debugger of a replay holds on to (tools/gdb/heddle.py, docs/debugging.md).
//
// `heddle replay FILE --gdb` starts the program under gdb with HEDDLE_DEBUG naming a file that holds the worker's
// options. The schedule is then followed once, by kernel threads, in this very process. Before each visible operation
// the thread that is about to perform it calls heddle_at_step, if the step's number is at least heddle_stop_at; a
// breakpoint there stops only where the user wants to look, whatever the length of the run. Steps count from 1, as in
// reports.
#pragma once

#include "native/runtime/program.h"
#include "native/runtime/runtime.h"

extern "C" {
extern std::uint64_t heddle_stop_at;                // from HEDDLE_STOP_AT; a debugger may write it
extern std::uint64_t heddle_last_step;              // the one that heddle_at_step was, or would have been, called for
extern int heddle_kernel_ids[heddle::kMaxThreads];  // by ThreadId; 0: has not run yet
void heddle_at_step(std::uint64_t step, std::uint32_t thread);
void heddle_at_failure(std::uint64_t step, const char* message);
void heddle_at_end(std::uint64_t steps, const char* how);
}

namespace heddle::runtime {

// The current thread is about to perform `step`.
void show_step_to_debugger(const Step& step);
void show_failure_to_debugger(const trace::Failure& failure);

// The replay that `options` asks for, then the end of the process.
[[noreturn]] void replay_for_debugger(const EntryPoint& entry, const protocol::WorkerOptions& options);

}  // namespace heddle::runtime
