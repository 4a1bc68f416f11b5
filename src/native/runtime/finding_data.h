// What the threads of failing executions do with data that is no visible operation.
#pragma once

#include "native/protocol/messages.h"
#include "trace/program.h"

namespace heddle::runtime {

// Runs the execution of each finding twice more (data_log.h).
void tell_data(trace::Program& program, protocol::WorkerResult& out);

}  // namespace heddle::runtime
