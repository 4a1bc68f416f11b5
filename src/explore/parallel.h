// One search by several explorers: each has a program of its own, they share a frontier (frontier.h). For front ends
// whose programs can run side by side in one process; native programs do the same with processes.
#pragma once

#include <functional>
#include <memory>

#include "explore/explorer.h"

namespace heddle::explore {

using ProgramFactory = std::function<std::unique_ptr<Program>()>;

// Same classes and findings as explore(); which execution shows a finding depends on who came first.
Result<ExploreResult> explore_in_parallel(const ProgramFactory& make_program, const ExploreOptions& options, int jobs);

// Adds one explorer's part to the whole.
void merge(ExploreResult& whole, ExploreResult part);

}  // namespace heddle::explore
