// gdb on a saved schedule: the program follows it by kernel threads, and tools/gdb/heddle.py knows where it is.
#pragma once

#include "native/supervisor/supervisor.h"

namespace heddle::supervisor {

// What gdb's side shows of the run.
struct DebugMaterial {
  std::string report;                // as json_report writes it
  std::vector<std::string> threads;  // names, by ThreadId
};

// Runs gdb on `options.worker.replay` until the user leaves it; its exit code.
Result<int> debug_native(const NativeOptions& options, const DebugMaterial& material);

}  // namespace heddle::supervisor
