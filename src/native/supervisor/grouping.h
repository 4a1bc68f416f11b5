// One finding per cause. A data race is noticed once for every pair of accesses, in every order, and on every element
// of an array; whoever mends it looks at two lines and one variable.
#pragma once

#include "native/protocol/messages.h"
#include "native/supervisor/describer.h"

namespace heddle::supervisor {

// Races of the same two lines on the same variable become the one that was found first; what keeps the program from
// going on at all (deadlocks, crashes) comes before what else is wrong with it. Details go with their findings.
void group_findings(protocol::WorkerResult& worker, const NativeDescriber& describer);

}  // namespace heddle::supervisor
