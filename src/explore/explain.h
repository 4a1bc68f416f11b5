// From a failing execution to a sentence: the last way out, and the two steps whose order closed it.
//
// * The *critical step* is the last one before which a good outcome could still be reached. Whether one can be reached
//   from a state is asked of the explorer itself (optimal-dpor behind a fixed prefix, prefix.h), so the answer "no" is
//   certain if the space behind the prefix was exhausted within the effort. Reachability only shrinks along an
//   execution, so the step is found by doubling steps back from the failure and halving the rest.
// * The *decisive pair* is a pair of dependent steps of two threads, with the critical step in it if possible, that
//   come in one order in the failing execution and in the other one in a run that does not fail. Each candidate is
//   verified by that run: the second step's thread is let go on up to it before the first step is taken. If no
//   single pair can be turned round so, the good run that the search for the critical step met is compared with the
//   failing one.
// * The *pattern* is read off the pair and its surroundings (pattern.h).
//
// The idea of explaining a failure by the closest run without it is that of Zeller ("Isolating cause-effect chains",
// FSE 2002; for schedules: Choi and Zeller, ISSTA 2002). They bisect between two whole schedules; here the systematic
// explorer answers the question about each prefix directly.
#pragma once

#include "explore/explorer.h"
#include "trace/program.h"

namespace heddle::explore {

struct ExplainOptions {
  bool minimize = true;
  bool shorten = true;  // schedules, to the decisions that are needed; no: they are the user's
  // Effort per finding, for minimising and for explaining each; all findings together get ten times that.
  std::uint64_t max_runs = 20'000;
  std::uint64_t max_steps = 2'000'000;
  // For all of them together. Only slow programs come near it; what is found by then is shown.
  double max_seconds = 8;
  Feasibility* feasibility = nullptr;  // of a program with branches on inputs
};

// Minimises and explains each finding of `result` in place. A finding that does not show again is left as it is.
void explain_findings(Program& program, ExploreResult& result, const ExplainOptions& options);

}  // namespace heddle::explore
