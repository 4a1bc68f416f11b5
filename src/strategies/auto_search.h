// The default search. Small programs are exhausted in milliseconds by optimal-dpor, and there nothing is better. Large
// ones are not exhausted at all, and there a depth-first search spends its minute in one corner of a tree of which
// others would have shown more. Nobody knows beforehand which of the two a program is. So (docs/adr/0018):
//
//   first     every class by optimal-dpor, for a while. Most searches end here, and are what they always were.
//   beside    then executions are drawn now and then, by five samplers that differ in what they find.
//   rounds    each twice as long as the one before. When it has become long, probes say how large the whole is
//             (estimate.h). In reach: optimal-dpor goes on, with a few samples. Before that a contextual unfolding may
//             try to end with a tenth of the work: where reads are many it needs far fewer executions. Out of reach: a
//             third each for optimal-dpor, for samples, and for every class within 0, 1, 2, ... pre-emptions, one bound
//             after the other, each of which is an answer when it ends.
//
// Whichever search comes to its end first gives the verdict, with its own counts; the others are said beside it
// (ExploreResult::parts). If none does, the counts are of all together, and the verdict says which bound is complete.
//
// Shares are counted in steps, not in seconds: the same command runs the same executions in the same order, as far as
// no time budget ends them. A search that learns from races looks at pairs of steps, so there a step of a long
// execution counts more than one of a short one.
#pragma once

#include "strategies/registry.h"

namespace heddle::strategies {

// Is it for explore_auto()? Whatever asks for one search in particular is not: modifiers, a prefix, inputs, explorers
// that share a frontier, somebody who looks at every execution.
bool explores_auto(const explore::ExploreOptions& options);

struct AutoOptions {
  bool unfolding = false;  // one can be tried on the program as it is run for the others
  // Or elsewhere: lets one do so much more work, and says how much it did, which is 0 if it has given up. One that
  // comes to its end does not return.
  std::function<std::uint64_t(std::uint64_t)> unfold_elsewhere = nullptr;
  // Work for optimal-dpor alone, in steps: some 5,000 short executions, or one that is very long. All other shares
  // follow from it.
  std::uint64_t first = 1 << 18;
  // Only that, and the samples that go with it, and nothing is said of what they were if they show neither the end nor
  // a bug: several explorers go on.
  bool first_only = false;
};

// What an execution costs an unfolding.
std::uint64_t work_of_unfolding(const trace::Execution& execution);

Result<explore::ExploreResult> explore_auto(trace::Program& program, const explore::ExploreOptions& options,
                                            const Setting& setting, const AutoOptions& how);

}  // namespace heddle::strategies
