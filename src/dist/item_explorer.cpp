#include "dist/item_explorer.h"

#include <algorithm>
#include <chrono>

#include "dist/terms.h"
#include "explore/suspect.h"

namespace heddle::dist {
namespace {

// Taking up a segment costs as much as some executions; whoever waits can wait for so long.
constexpr std::chrono::milliseconds kShortest{20};
constexpr int kTimesTheCost = 20;

}  // namespace

explore::Gap open_input(std::uint32_t where, const std::string& what) {
  return {explore::Cause::kInputsOpen, std::to_string(where) + " " + what};
}

std::map<std::uint32_t, std::string> take_open_inputs(explore::ExploreResult& result) {
  std::map<std::uint32_t, std::string> open;
  std::erase_if(result.gaps, [&](const explore::Gap& gap) {
    if (gap.cause != explore::Cause::kInputsOpen) return false;
    const std::size_t end = gap.detail.find(' ');
    open.try_emplace(static_cast<std::uint32_t>(std::stoul(gap.detail)), gap.detail.substr(end + 1));
    return true;
  });
  return open;
}

namespace {

// The item in the words of this program.
Result<WorkItem> taken_up(WorkItem item, OwnNumbers* numbers) {
  if (numbers == nullptr) return item;
  numbers->use_threads(item.threads);
  numbers->take_left_open();
  if (numbers->terms() != nullptr && !take_terms(*numbers->terms(), item))
    return Error{"a part of a search speaks of inputs that nobody knows; use the same version everywhere"};
  return item;
}

void tell_numbers(OwnNumbers& numbers, WorkResult& result) {
  result.threads = numbers.threads();
  if (numbers.terms() != nullptr) result.terms = parcel_for(*numbers.terms(), result);
  for (const auto& [where, what] : numbers.take_left_open()) result.tally.gaps.push_back(open_input(where, what));
}

}  // namespace

Result<WorkResult> explore_item(trace::Program& program, const WorkItem& sent, const ItemOptions& options) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  const auto until = begin + std::chrono::milliseconds(sent.budget.milliseconds);
  auto taken = taken_up(sent, options.numbers);
  if (!taken) return taken.error();
  const WorkItem& item = *taken;
  explore::ExploreOptions engine;
  engine.strategy = options.strategy;
  if (options.numbers != nullptr) engine.strategy.feasibility = options.numbers->judge();
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
  if (options.numbers != nullptr) tell_numbers(*options.numbers, result);
  return result;
}

Answer answer_to(trace::Program& program, const WorkItem& item, const ItemOptions& options) {
  auto result = explore_item(program, item, options);
  if (!result) return {item.segment, item.attempt, std::nullopt, result.error().message};
  if (!item.certain && result->threads != item.threads)
    return {.segment = item.segment, .attempt = item.attempt, .for_front_only = true};
  return {item.segment, item.attempt, std::move(*result), {}};
}

}  // namespace heddle::dist
