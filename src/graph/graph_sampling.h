// Sampling under a memory model: executions are drawn, and in them which store each load reads.
//
// Who runs next is drawn by the tail of a sampling algorithm (trace/conductor.h: random, pct, pos). What else an
// operation might have found is known only of the graph that there is by then, when the execution is over. So an
// execution is run to its end with every load reading the newest store, and then gone through from its beginning. At
// each access of memory a coin is tossed: as it is, or one of the older stores that the model allows, each as likely as
// the others. The first time that it is another one the execution is run again up to there, with that choice, and goes
// on at random from there; what comes after it is gone through next. What has been gone through to its end is a walk in
// which threads and stores were drawn at every step; those on the way are executions of the program as well, and count.
//
// Every graph can be drawn: run in an order that contains program order and reads-from, each event finds its source
// there, and every part of a consistent graph is consistent.
#pragma once

#include "base/random.h"
#include "explore/strategy.h"
#include "graph/consistency.h"
#include "graph/step_graph.h"

namespace heddle::graph {

class GraphSampling final : public explore::Strategy {
 public:
  GraphSampling(MemoryModel model, const Tail& tail) : checker_(model), tail_(tail), random_(tail.seed) {}
  bool next(Schedule& schedule) override;
  void learn(const Execution& execution) override;

 private:
  bool draws_another(EventId e, std::uint16_t& choice);
  bool may_be(EventId e, EventId predecessor);

  ConsistencyChecker checker_;
  Tail tail_;
  Random random_;
  std::uint64_t drawn_ = 0;
  std::size_t longest_ = 1;
  StepGraph steps_;
  std::vector<Decision> decided_;  // of the walk so far; empty: it begins
};

}  // namespace heddle::graph
