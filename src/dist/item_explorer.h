// Explores a work item: as a search of its own, from where it stands, until its budget is used up or somebody has need
// of the explorer. Then it tells how it stands and forgets everything.
#pragma once

#include <functional>

#include "dist/work_item.h"

namespace heddle::dist {

struct ItemOptions {
  explore::StrategyOptions strategy;
  std::function<bool()> enough;  // asked after some executions; null: only the budget counts
  // What verdicts rest on that the program has learnt so far; null: nothing.
  std::function<std::vector<trace::Assumption>()> assumptions;
};

Result<WorkResult> explore_item(trace::Program& program, const WorkItem& item, const ItemOptions& options);

}  // namespace heddle::dist
