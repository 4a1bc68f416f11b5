// The second seam: a way of walking the space of schedules. The explorer alternates
//
//   while (strategy.next(schedule)) { program.run(schedule, execution); strategy.learn(execution); }
//
// Races are looked for when an execution is over, which is what lets every algorithm of the literature fit.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "explore/saved_search.h"
#include "explore/verdict.h"
#include "trace/assumption.h"
#include "trace/execution.h"
#include "trace/schedule.h"

namespace heddle::explore {

using namespace trace;

// What a strategy has to say in the end, besides what its executions have shown.
struct Account {
  std::string note = {};                     // one sentence for the user, if there is something to say
  std::vector<Gap> gaps = {};                // why a search that has come to its end has not been through everything
  std::vector<Assumption> assumptions = {};  // that no bug being found rests on
};

class Strategy {
 public:
  virtual ~Strategy() = default;
  // The next schedule to run, written into `schedule` (its storage is reused). False: the space is exhausted.
  virtual bool next(Schedule& schedule) = 0;
  virtual void learn(const Execution& execution) = 0;
  // States visited, where the algorithm has a notion of its own (Noonan et al. 2014); else every step makes one.
  virtual std::optional<std::uint64_t> states() const { return std::nullopt; }
  // Events of the unfolding, or of its prefix, if one is built; else 0.
  virtual std::uint64_t events() const { return 0; }
  // The search as it stands after learn(), and a new strategy that goes on from there. False: it cannot be done.
  virtual bool save(SavedSearch&) const { return false; }
  virtual bool resume(const SavedSearch&) { return false; }
  virtual Account account() const { return {}; }
};

// For an engine that owns its strategy, while somebody else wants to know afterwards what it came to.
class SharedStrategy final : public Strategy {
 public:
  explicit SharedStrategy(std::shared_ptr<Strategy> strategy) : strategy_(std::move(strategy)) {}
  bool next(Schedule& schedule) override { return strategy_->next(schedule); }
  void learn(const Execution& execution) override { strategy_->learn(execution); }
  std::optional<std::uint64_t> states() const override { return strategy_->states(); }
  std::uint64_t events() const override { return strategy_->events(); }
  Account account() const override { return strategy_->account(); }

 private:
  std::shared_ptr<Strategy> strategy_;
};

}  // namespace heddle::explore
