// What an execution says to a reader, step by step, before any layout: words for each operation, who holds
// which lock, and where a thread was pre-empted. Terminal and JSON both use it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "trace/execution.h"
#include "trace/program.h"

namespace heddle::report {

struct Sentence {
  std::string text;         // "write x = 4"
  bool preempts = false;    // the thread that ran before could have gone on
  std::map<ThreadId, std::size_t> holding = {};   // after the step: threads with locks, and how many
};

// One sentence per step.
std::vector<Sentence> narrate(const trace::Execution& execution, const trace::Describer& describer);

// A thread that can never go on: its next operation blocks, or it is parked and nobody wakes it.
struct Waiter {
  const trace::Step* step;          // the operation; of a parked thread the one that parked it
  EventIndex pending = kNoEvent;    // its index in an explanation (explore/explanation.h), if it is pending
  std::string text;                 // "lock m"
};
// Of the final state. Points into `execution`.
std::vector<Waiter> waiters(const trace::Execution& execution, const trace::Describer& describer);

}  // namespace heddle::report
