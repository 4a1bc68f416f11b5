// What is to be seen in a marking: who has ended, who cannot go on, who is about to race.
#pragma once

#include "net/program_net.h"
#include "stateful/statistics.h"

namespace heddle::stateful {

// The thread that has ended the process; kNoThread if it goes on.
ThreadId ended_by(const net::ProgramNet& net, const net::Marking& marking);
// May others join it?
bool has_ended(const net::ProgramNet& net, const net::Marking& marking, ThreadId thread);

// Of a marking in which nobody can go on.
struct Stuck {
  std::uint64_t signature = 0;  // of where threads wait; 0 if none does
  std::uint64_t blocked = 0;    // of their local states
  bool deadlocked = false;      // all others have ended
};
Stuck stuck_threads(net::ProgramNet& net, const net::Marking& marking);

// Accesses to memory by two threads, one of them a write. Whether one is atomic the program knows.
bool races(const net::Transition& a, const net::Transition& b, const net::ProgramNet& net);

std::uint64_t pair_key(std::uint64_t tag, std::uint32_t a, std::uint32_t b);

// Does the execution show anything that the net does not model?
void note_limits(const trace::Execution& execution, Statistics& statistics);

}  // namespace heddle::stateful
