// What the threads of failing executions do with data that is no visible operation.
#pragma once

#include "native/protocol/messages.h"
#include "trace/program.h"

namespace heddle::native {

// Runs the execution of each finding twice more (data_log.h).
void tell_data(trace::Program& program, WorkerResult& out);

}  // namespace heddle::native
