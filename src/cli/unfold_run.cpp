#include "cli/unfold_run.h"

#include <fmt/format.h>

namespace heddle::cli {
namespace {

// The engine owns its strategy; this one is shared.
class Shared final : public explore::Strategy {
 public:
  explicit Shared(std::shared_ptr<unfold::UnfoldingStrategy> strategy) : strategy_(std::move(strategy)) {}
  bool next(trace::Schedule& schedule) override { return strategy_->next(schedule); }
  void learn(const trace::Execution& execution) override { strategy_->learn(execution); }

 private:
  std::shared_ptr<unfold::UnfoldingStrategy> strategy_;
};

}  // namespace

void UnfoldRun::install(explore::ExploreOptions& engine, trace::Feasibility* feasibility) {
  if (!explore::unfolds(engine.strategy.algorithm)) return;
  unfold::UnfoldingOptions options;
  options.variant = engine.strategy.algorithm == explore::Algorithm::kUnfolding
                        ? unfold::Variant::kPlaceReplicated
                        : unfold::Variant::kContextual;
  options.feasibility = feasibility;
  strategy_ = std::make_shared<unfold::UnfoldingStrategy>(options);
  engine.make = [strategy = strategy_] { return std::make_unique<Shared>(strategy); };
}

std::string UnfoldRun::note() const {
  if (!strategy_) return {};
  const unfold::UnfoldingStatistics s = strategy_->statistics();
  if (s.events == 0) return "the unfolding is empty: no thread does anything visible";
  std::string text = fmt::format("unfolding of {} events, {} bytes each; {} executions to cover it", s.events,
                                 s.bytes / s.events, s.executions);
  if (s.confirmations > 0) text += fmt::format(", {} more to end in deadlocks found in it", s.confirmations);
  return text;
}

}  // namespace heddle::cli
