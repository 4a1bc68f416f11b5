// What stands for a std::barrier or std::latch as long as all that threads do with it is to arrive and wait: the
// runtime knows what that means (src/native/runtime/barriers.h).
#pragma once

extern "C" {
struct heddle_meeting {
  alignas(16) unsigned char state[32];
};
void heddle_meeting_init(heddle_meeting* meeting, unsigned long needed) noexcept;
// Arrives and waits. 0: it does not, as threads do other things with it as well; let the library do it.
int heddle_meet(heddle_meeting* meeting, unsigned long needed) noexcept;
// Somebody does something else with it.
void heddle_meet_otherwise(heddle_meeting* meeting) noexcept;
}
