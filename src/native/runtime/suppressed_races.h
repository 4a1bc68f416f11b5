// Data races that are known and left out: explored like others, but no findings. Which they are the supervisor says, by
// their accesses (supervisor/suppressions.h), and the program itself: functions marked HEDDLE_NO_RACE are in a section
// of their own, and a race with an access in there is left out.
#pragma once

#include "native/protocol/messages.h"

namespace heddle::runtime {

void suppress_races(const std::vector<protocol::SuppressedRace>& races);
// Of a race between accesses at these positions; one that is is noted, for the verdict to say.
bool is_suppressed(std::uint32_t before, std::uint32_t now, std::uintptr_t address);

}  // namespace heddle::runtime
