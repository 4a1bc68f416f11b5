// Exploration by unfolding, as `heddle run` asks for it: makes the strategy for the engine and keeps it, because what
// it has to say at the end is more than an exploration's result holds.
#pragma once

#include <memory>
#include <string>

#include "explore/explorer.h"
#include "stateful/search.h"
#include "trace/feasibility.h"
#include "unfold/unfolding_strategy.h"

namespace heddle::cli {

class UnfoldRun {
 public:
  // Does nothing unless the engine's options name an algorithm that unfolds. `feasibility` judges branches on inputs.
  void install(explore::ExploreOptions& engine, trace::Feasibility* feasibility, unfold::GlobalQuestions global = {});
  // What the user should know about the unfolding or the net; empty if there is none.
  std::string note() const;
  // Why not every global state was looked at; empty: it was.
  std::string left_open() const;
  // Enters into the result what a search that has ended left open.
  void admit(explore::ExploreResult& result) const;
  const unfold::UnfoldingStrategy* strategy() const { return strategy_.get(); }

 private:
  std::shared_ptr<unfold::UnfoldingStrategy> strategy_;
  std::shared_ptr<stateful::Search> stateful_;
};

}  // namespace heddle::cli
