#include "graph/race_watch.h"

#include <algorithm>
#include <map>

namespace heddle::graph {

ExecutionGraph graph_of(const Execution& execution) {
  ExecutionGraph g;
  std::map<std::uint32_t, ObjectSlot> slots;
  for (const Step& step : execution.steps) {
    ObjectSlot slot = kNoSlot;
    if (step.op.object != kNoObject)
      slot = slots.try_emplace(step.op.object.value, static_cast<ObjectSlot>(slots.size())).first->second;
    const EventId e = g.add(step, slot);
    if (slot == kNoSlot) continue;
    const auto mo = g.mo(slot);
    const std::size_t newer = has_alternatives(step.op.kind) ? 0 : std::min<std::size_t>(step.choice, mo.size());
    const EventId predecessor = newer == mo.size() ? kInitial : mo[mo.size() - 1 - newer];
    if (g[e].reads) g.set_source(e, predecessor);
    if (g[e].writes) g.set_place(e, predecessor);
  }
  return g;
}

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
