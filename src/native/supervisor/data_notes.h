// Plain accesses of failing executions in terms of the source.
#pragma once

#include "native/protocol/messages.h"
#include "native/supervisor/describer.h"

namespace heddle::supervisor {

// Gives the findings what `worker.data` knows of them.
void note_data(protocol::WorkerResult& worker, const NativeDescriber& describer);

}  // namespace heddle::supervisor
