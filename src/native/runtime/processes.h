// One search by several processes: copies of the worker, forked when it has prepared everything, that share the
// frontier of the search (explore/frontier.h) and the numbers of things (shared_ids.h). The worker itself only waits,
// so that it is left as it was: if one of the processes is killed, the others are ended too and the search begins
// again.
#pragma once

#include "native/runtime/properties.h"

namespace heddle::runtime {

// As explore::explore, with the states of each execution's class looked at if properties ask for that. What the
// processes learnt about visibility is this process's afterwards; if that is more than before, the result does not
// count (NativeProgram::stale).
Result<explore::ExploreResult> explore_by_processes(Watch& watch, const explore::ExploreOptions& options,
                                                    std::uint32_t jobs);

}  // namespace heddle::runtime
