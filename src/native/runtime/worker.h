// The process as a worker of the supervisor: reads its options, explores, answers.
#pragma once

#include "native/runtime/program.h"

namespace heddle::runtime {

// Without HEDDLE_WORKER in the environment: runs the program once and exits with its code.
[[noreturn]] void run_worker(const EntryPoint& entry);

}  // namespace heddle::runtime
