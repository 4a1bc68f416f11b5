#include "graph/race_watch.h"

#include "graph/step_graph.h"

namespace heddle::graph {

void RaceWatch::run(const Schedule& schedule, Execution& execution) {
  program_.run(schedule, execution);
  const bool counts = execution.outcome == Outcome::kComplete || execution.outcome == Outcome::kDeadlock ||
                      execution.outcome == Outcome::kFailed;
  if (!counts) return;
  const ExecutionGraph g = graph_of(execution);
  if (const auto race = checker_.find_race(g)) report(execution, race->first, race->second);
}

void RaceWatch::report(Execution& execution, EventIndex earlier, EventIndex later) const {
  const Step& a = execution.steps[earlier];
  const Step& b = execution.steps[later];
  const auto access = [&](const Step& s) {
    const bool plain = s.op.order == MemoryOrder::kPlain;
    return std::string(plain ? "plain " : "atomic ") + (writes(s.op.kind) ? "write" : "read") + " at " +
           describer_.position(s.where);
  };
  const std::string message = describer_.object_name(b.op.object) + ": nothing orders this " + access(b) + " and the " +
                              access(a) + " by " + describer_.thread_name(a.thread);
  execution.failures.push_back({FailureKind::kDataRace, later + 1, b.thread, b.where, message});
  execution.outcome = Outcome::kFailed;
}

}  // namespace heddle::graph
