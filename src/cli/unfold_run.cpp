#include "cli/unfold_run.h"

#include <chrono>

namespace heddle::cli {

void UnfoldRun::install(explore::ExploreOptions& engine, trace::Feasibility* feasibility,
                        unfold::GlobalQuestions global) {
  if (!explore::unfolds(engine.strategy.algorithm)) return;
  const auto start = std::chrono::steady_clock::now();
  // Between executions the last progress is shown again, with the time as it is.
  const auto last = std::make_shared<explore::Progress>();
  const auto observer = engine.observer;
  global.goes_on = [start, limit = engine.max_seconds, observer, last] {
    last->seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return (!limit || last->seconds < *limit) && (!observer || observer(*last));
  };
  if (observer)
    engine.observer = [observer, last](const explore::Progress& progress) {
      *last = progress;
      return observer(progress);
    };
  if (explore::is_stateful(engine.strategy.algorithm)) {
    stateful::StatefulOptions options;
    options.feasibility = feasibility;
    options.goes_on = global.goes_on;
    options.global = std::move(global);
    options.net.values = engine.strategy.match_values;
    const bool markings = engine.strategy.algorithm == explore::Algorithm::kStateful;
    stateful_ =
        std::make_shared<stateful::Search>(markings ? stateful::Kind::kMarkings : stateful::Kind::kUnfolding, options);
    engine.make = [search = stateful_] { return search->share(); };
    return;
  }
  unfold::UnfoldingOptions options;
  options.variant = engine.strategy.algorithm == explore::Algorithm::kUnfolding ? unfold::Variant::kPlaceReplicated
                                                                                : unfold::Variant::kContextual;
  options.feasibility = feasibility;
  options.global = std::move(global);
  strategy_ = std::make_shared<unfold::UnfoldingStrategy>(options);
  engine.make = [strategy = strategy_] { return std::make_unique<explore::SharedStrategy>(strategy); };
}

std::string UnfoldRun::left_open() const {
  return strategy_ && strategy_->statistics().undecided ? unfold::kUndecided : std::string();
}

std::string UnfoldRun::note() const {
  if (stateful_) return to_text(stateful_->statistics());
  return strategy_ ? to_text(strategy_->statistics()) : std::string();
}

void UnfoldRun::admit(explore::ExploreResult& result) const {
  if (!stateful_ || !result.exhausted()) return;
  if (stateful_->statistics().stopped)
    result.gaps.push_back({explore::Cause::kTimeBudget});
  else if (std::string open = stateful::left_open(stateful_->statistics()); !open.empty())
    result.gaps.push_back({explore::Cause::kNotInNet, std::move(open)});
}

}  // namespace heddle::cli
