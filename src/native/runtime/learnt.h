// What was learnt about the program on the way, and holds in every execution from then on: which bytes are visible,
// where loops wait, who is asked for something. A search relies on it, so one that learns more begins again; a schedule
// is saved with it, because only then does it lead to the same steps.
#pragma once

#include <vector>

#include "native/protocol/messages.h"

namespace heddle::runtime {

// More bytes, or something of that kind, have become visible (Runtime::visible_set_grown), by this.
void grow_visible_set(const protocol::Learnt& by);
const std::vector<protocol::Learnt>& learnt_so_far();
// Takes over what another process has learnt.
void learn(const protocol::Learnt& lesson);

}  // namespace heddle::runtime
