// Explores a work item: as a search of its own, from where it stands, until its budget is used up or somebody has need
// of the explorer. Then it tells how it stands and forgets everything.
#pragma once

#include <functional>
#include <map>

#include "dist/work_pool.h"
#include "trace/feasibility.h"

namespace heddle::dist {

// What a program numbers for itself as it is explored, and what has to mean the same to all who explore it: terms over
// inputs, and threads in the order in which they were met.
class OwnNumbers {
 public:
  virtual ~OwnNumbers() = default;
  // Null, both: no inputs are explored.
  virtual trace::Feasibility* judge() = 0;
  virtual symbolic::TermStore* terms() = 0;
  // Threads beyond those that every process of the program knows from the beginning.
  virtual std::vector<StartedThread> threads() const = 0;
  virtual void use_threads(const std::vector<StartedThread>& threads) = 0;
  // What about inputs was not followed since the last call, by the number of its place.
  virtual std::map<std::uint32_t, std::string> take_left_open() = 0;
};

struct ItemOptions {
  explore::StrategyOptions strategy;
  std::function<bool()> enough;  // asked after some executions; null: only the budget counts
  // What verdicts rest on that the program has learnt so far; null: nothing.
  std::function<std::vector<trace::Assumption>()> assumptions;
  OwnNumbers* numbers = nullptr;  // null: everything has the same number in every process
};

Result<WorkResult> explore_item(trace::Program& program, const WorkItem& item, const ItemOptions& options);

// The same as an answer. Speculation that has met a new thread is for the front only: the numbers of threads decide
// who goes first, so they must be given out in the order in which one explorer meets them.
Answer answer_to(trace::Program& program, const WorkItem& item, const ItemOptions& options);

// Something about inputs that was not followed, as a gap that travels: with the number of its place.
explore::Gap open_input(std::uint32_t where, const std::string& what);
// Takes these gaps out of the result, by places.
std::map<std::uint32_t, std::string> take_open_inputs(explore::ExploreResult& result);

}  // namespace heddle::dist
