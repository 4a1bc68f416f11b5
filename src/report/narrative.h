// What an execution says to a reader, step by step, before any layout: words for each operation, who holds
// which lock, where a thread was pre-empted, and who waits for what at the end. Terminal and JSON both use it.
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

// A circle of threads that wait for each other: "a -> lock m -> b -> lock n -> a"; empty if there is none.
std::string wait_cycle(const trace::Execution& execution, const trace::Describer& describer);

// Who waits for what in the final state: "b waits for lock m, held by a since bank.hed:7:3".
std::vector<std::string> waiting_in_the_end(const trace::Execution& execution,
                                            const trace::Describer& describer);

}  // namespace heddle::report
