#include "strategies/registry.h"

#include "base/assert.h"
#include "explore/explores_graphs.h"
#include "graph/graph_sampling.h"
#include "graph/trust.h"
#include "stateful/search.h"
#include "unfold/unfolding_strategy.h"

namespace heddle::strategies {
namespace {

using explore::Algorithm;
using explore::StrategyOptions;
using explore::Tail;
using Made = std::unique_ptr<explore::Strategy>;

Made make_unfolding(const StrategyOptions& o, const Setting& setting) {
  unfold::UnfoldingOptions options;
  options.variant =
      o.algorithm == Algorithm::kUnfolding ? unfold::Variant::kPlaceReplicated : unfold::Variant::kContextual;
  options.idle_joins = setting.idle_joins;
  options.feasibility = o.feasibility;
  options.global = setting.global;
  options.global.goes_on = setting.goes_on;
  return std::make_unique<unfold::UnfoldingStrategy>(options);
}

Made make_stateful(const StrategyOptions& o, const Setting& setting) {
  stateful::StatefulOptions options;
  options.net = setting.net;
  options.net.values = o.match_values;
  options.feasibility = o.feasibility;
  options.races = setting.races;
  options.global = setting.global;
  options.goes_on = options.global.goes_on = setting.goes_on;
  const bool markings = o.algorithm == Algorithm::kStateful;
  return stateful::Search(markings ? stateful::Kind::kMarkings : stateful::Kind::kUnfolding, options).share();
}

}  // namespace

Result<Made> make(const StrategyOptions& o, const Setting& setting) {
  if (auto error = contradiction_in(o)) return *error;
  switch (family_of(o.algorithm)) {
    case explore::Family::kSampling:
      if (explores_graphs(o))
        return Made(std::make_unique<graph::GraphSampling>(
            *o.memory, Tail{*explore::tail_for_graphs(o.algorithm), o.seed, o.pct_depth}));
      return make_strategy(o);
    case explore::Family::kTree:
      return make_strategy(o);
    case explore::Family::kUnfolding:
      return make_unfolding(o, setting);
    case explore::Family::kStateful:
      return make_stateful(o, setting);
    case explore::Family::kGraphs:
      return Made(std::make_unique<graph::Trust>(o.memory.value_or(trace::MemoryModel::kSc)));
  }
  return Error{"unknown algorithm"};
}

void install(explore::ExploreOptions& engine, Setting setting) {
  const bool graphs = explores_graphs(engine.strategy);
  if (info_of(engine.strategy.algorithm).make && !graphs) return;
  if (graphs) engine.probe = false;  // no interleavings
  engine.make = [options = engine.strategy, setting = std::move(setting)] {
    auto made = make(options, setting);
    INVARIANT(made.ok());  // contradictions are found on the command line
    return std::move(*made);
  };
}

}  // namespace heddle::strategies
