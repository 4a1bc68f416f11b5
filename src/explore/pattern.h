// Names for what went wrong, where it has a well-known one (after Lu, Park, Seo and Zhou, "Learning from mistakes",
// ASPLOS 2008). A pattern is claimed only if the failing execution shows all of its parts; otherwise there is none.
#pragma once

#include "explore/explorer.h"

namespace heddle::explore {

// Sets `pattern`, `check` and `act` from the rest of the explanation, of a data race as well.
void classify(const Execution& execution, const Failure& failure, Explanation& explanation);

// Where `who` joins `whom` after the first `from` steps, or waits to: an index as of an explanation, or kNoEvent.
EventIndex joined_after(const Execution& execution, ThreadId who, ThreadId whom, EventIndex from);

}  // namespace heddle::explore
