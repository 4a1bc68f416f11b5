#include "cli/unfold_run.h"

namespace heddle::cli {

void UnfoldRun::install(explore::ExploreOptions& engine, trace::Feasibility* feasibility,
                        unfold::GlobalQuestions global) {
  if (!explore::unfolds(engine.strategy.algorithm)) return;
  unfold::UnfoldingOptions options;
  options.variant = engine.strategy.algorithm == explore::Algorithm::kUnfolding
                        ? unfold::Variant::kPlaceReplicated
                        : unfold::Variant::kContextual;
  options.feasibility = feasibility;
  options.global = std::move(global);
  strategy_ = std::make_shared<unfold::UnfoldingStrategy>(options);
  engine.make = [strategy = strategy_] { return unfold::share(strategy); };
}

std::string UnfoldRun::left_open() const {
  return strategy_ && strategy_->statistics().undecided ? "the solver could not decide whether a state can be reached"
                                                        : std::string();
}

std::string UnfoldRun::note() const {
  return strategy_ ? to_text(strategy_->statistics()) : std::string();
}

}  // namespace heddle::cli
