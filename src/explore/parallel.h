// What several explorers of one search have in common, however they share it: by a frontier (frontier.h; processes of a
// native program) or as work items (src/dist).
#pragma once

#include <functional>
#include <memory>

#include "explore/explorer.h"

namespace heddle::explore {

// Each has a program of its own.
using ProgramFactory = std::function<std::unique_ptr<Program>()>;

// Those that `known` does not have.
void add_unknown(const std::vector<Finding>& findings, std::vector<Finding>& known);

// Adds one explorer's part to the whole.
void merge(ExploreResult& whole, ExploreResult part);

}  // namespace heddle::explore
