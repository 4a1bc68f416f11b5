// What a race (e, e') would look like the other way round: the second step as it happens when it runs in the
// first one's place. Everything before both is the same, so the object is found as e found it (`before`),
// and that decides how e' turns out: a failed compare-and-swap may succeed, a try-lock may fail, a signal
// may have other waiters to choose from. Knowing this in advance keeps wakeup trees and sleep sets exact.
#pragma once

#include "trace/execution.h"

namespace heddle::trace {

// Changes `second` to that.
void turn_to_first(Step& second, const Step& first);

inline Step as_if_first(Step second, const Step& first) {
  turn_to_first(second, first);
  return second;
}

// A pending operation as it would happen in the final state. Where it is not known how an attempt turns out, it is one
// that writes whatever it finds: to take a write for a look would lose what depends on it.
Step as_if_last(const Pending& pending);

}  // namespace heddle::trace
