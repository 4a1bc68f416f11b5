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
  std::string text;                              // "write x = 4"
  bool preempts = false;                         // the thread that ran before could have gone on
  std::map<ThreadId, std::size_t> holding = {};  // after the step: threads with locks, and how many
  std::size_t note = 0;                          // as many characters at the end say how stale what is read is
};

// One sentence per step.
std::vector<Sentence> narrate(const trace::Execution& execution, const trace::Describer& describer);

}  // namespace heddle::report
