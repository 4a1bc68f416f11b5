#include "dist/item_explorer.h"

#include <algorithm>
#include <chrono>

#include "explore/suspect.h"

namespace heddle::dist {
namespace {

// Taking up a segment costs as much as some executions; whoever waits can wait for so long.
constexpr std::chrono::milliseconds kShortest{20};
constexpr int kTimesTheCost = 20;

}  // namespace

Result<WorkResult> explore_item(trace::Program& program, const WorkItem& item, const ItemOptions& options) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  const auto until = begin + std::chrono::milliseconds(item.budget.milliseconds);
  explore::ExploreOptions engine;
  engine.strategy = options.strategy;
  engine.all = !item.budget.stop_at_bug;
  engine.list_classes = true;
  engine.from = &item.search;
  auto exploration = explore::Exploration::begin(engine);
  if (!exploration) return exploration.error();
  const auto worth_while = begin + std::max<Clock::duration>(kShortest, kTimesTheCost * (Clock::now() - begin));
  trace::Execution execution;
  const explore::Suspect suspect(execution);
  std::uint64_t executions = 0, steps = 0;
  while (const trace::Schedule* schedule = exploration->next()) {
    program.run(*schedule, execution);
    if (exploration->learn(execution)) break;  // the gap says why
    ++executions;
    steps += execution.steps.size() + 1;
    if (item.budget.executions > 0 && executions >= item.budget.executions) break;
    // Reading the clock costs as much as a short execution.
    if (steps < 500 && (executions & 15) != 0) continue;
    steps = 0;
    const auto now = Clock::now();
    if (item.budget.milliseconds > 0 && now >= until) break;
    if (options.enough && now >= worth_while && options.enough()) break;
  }
  WorkResult result{item.segment, item.attempt, {}, {}};
  const bool saved = exploration->save(result.search);
  INVARIANT(saved);  // it could be resumed
  result.tally = exploration->conclude();
  // It is not a gap that more is left: the search goes on.
  std::erase_if(result.tally.gaps, [](const explore::Gap& gap) { return gap.cause == explore::Cause::kFirstBug; });
  if (options.assumptions) result.tally.assumptions = options.assumptions();
  return result;
}

}  // namespace heddle::dist
