// Holds stateful testing to brute force: all interleavings are run, and every marking on the way is spelled out from
// the definitions (net/program_net.h) as text, without a net.
#pragma once

#include <optional>
#include <string>

#include "stateful/statistics.h"
#include "trace/program.h"

namespace heddle::check {

// Empty: both algorithms learn a net with the places and transitions that executions show, the search over markings
// visits each that is reachable, every one of them is the marking of a configuration of the prefix without terminals,
// and both find the failures and deadlocks that there are. Nothing: more than `limit` executions, or the program does
// what nets do not model. Otherwise what was wrong.
std::optional<std::string> stateful_disagreement(trace::Program& program, stateful::StatefulOptions options,
                                                 std::uint64_t limit);

}  // namespace heddle::check
