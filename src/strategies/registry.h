// Every strategy, made in one place. The rows of the table, names and guarantees, are in explore/algorithms.h, with how
// those are made that live there. Unfoldings, stateful searches and execution graphs live in folders above it and need
// more than options: what is asked about global states, who judges inputs, when to stop. Front ends say that here.
#pragma once

#include <functional>

#include "explore/explorer.h"
#include "net/program_net.h"
#include "unfold/global_search.h"

namespace heddle::strategies {

// What a front end knows of its program, and the strategies do not.
struct Setting {
  unfold::GlobalQuestions global = {};  // about global states
  // Asked now and then between executions, which may be minutes apart; false ends the search.
  std::function<bool()> goes_on = nullptr;
  net::NetOptions net = {};  // how steps of this kind of program become a net
  bool idle_joins = false;   // an unfolding may do without joins of threads that do nothing after them
  bool races = false;        // data races are failures
};

// The strategy that `options` name. Contradictions between them are an error.
Result<std::unique_ptr<explore::Strategy>> make(const explore::StrategyOptions& options, const Setting& setting);

// Lets the engine make its strategy here if it cannot do so itself.
void install(explore::ExploreOptions& engine, Setting setting);

}  // namespace heddle::strategies
