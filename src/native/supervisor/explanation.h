// A finding in words: which variable, who did what where, with the stacks.
#pragma once

#include "native/protocol/messages.h"
#include "native/supervisor/describer.h"

namespace heddle::supervisor {

// Completes the messages of the findings by what only names and details can tell.
void explain_findings(protocol::WorkerResult& worker, const NativeDescriber& describer);

}  // namespace heddle::supervisor
