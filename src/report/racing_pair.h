// Which two steps to show first. A trace has many ordered pairs; the one a reader wants is the last place where two
// threads met before the failure, because running that pair the other way round is what most often makes the
// failure go away.
#pragma once

#include <optional>

#include "trace/execution.h"

namespace heddle::report {

struct RacingPair {
  EventIndex first = kNoEvent;
  EventIndex second = kNoEvent;
};

// The last pair of dependent steps of different threads, adjacent in happens-before order, in the causal past of
// the failure. Accesses to memory are preferred to lock operations; starting, ending and waking a thread
// order steps but are no race. For a lock the pair is the two acquisitions.
std::optional<RacingPair> racing_pair(const trace::Execution& execution, const trace::Failure& failure);

// Under a memory model: the last read of the thread that fails, or else of any, that does not find the newest write,
// and that write.
std::optional<RacingPair> missed_write(const trace::Execution& execution, const trace::Failure& failure);

}  // namespace heddle::report
