// One controlled execution, as plain data: what the algorithms learn from.
#pragma once

#include <array>
#include <vector>

#include "trace/operation.h"
#include "trace/outcome.h"

namespace heddle::trace {

// The next operation of a thread that has not ended, in the final state.
struct Pending {
  Step step;        // as announced: alternatives and outcome are not decided yet
  bool enabled = false;
};

struct Execution {
  std::vector<Step> steps;
  std::vector<Pending> pending;      // of the final state, by thread id
  std::vector<Failure> failures;
  std::size_t threads = 0;           // ids 0 .. threads-1 occurred
  Outcome outcome = Outcome::kComplete;
  EventIndex diverged_at = kNoEvent; // first step at which the schedule could not be followed
  std::vector<std::int64_t> inputs;  // values that input() returned, in order (models: by thread, see front end)

  void clear() {
    steps.clear();
    pending.clear();
    failures.clear();
    inputs.clear();
    threads = 0;
    outcome = Outcome::kComplete;
    diverged_at = kNoEvent;
  }
};

}  // namespace heddle::trace
