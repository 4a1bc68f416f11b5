// The executions of a small exploration as a tree: what they have in common is shared, and a stretch without
// branches is one node.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "trace/execution.h"
#include "trace/program.h"

namespace heddle::report {

// {"parent", "thread", "steps", "text", "execution", "outcome", "kind"} per node, parents before children,
// the root first; `execution` (1, 2, ...) and what follows it only where one ends, `kind` only if it failed.
nlohmann::ordered_json page_tree(const std::vector<trace::Execution>& executions, const trace::Describer& describer);

}  // namespace heddle::report
