#include "graph/step_graph.h"

#include <algorithm>

namespace heddle::graph {

void StepGraph::clear() {
  graph_.clear();
  slots_.clear();
}

EventId StepGraph::add(const Step& step) {
  ObjectSlot slot = kNoSlot;
  if (step.op.object != kNoObject)
    slot = slots_.try_emplace(step.op.object.value, static_cast<ObjectSlot>(slots_.size())).first->second;
  const EventId e = graph_.add(step, slot);
  if (slot == kNoSlot) return e;
  // The first step of all on an object finds what it held at first.
  if (!graph_.first_value(slot)) graph_.set_first_value(slot, step.op.before);
  const auto mo = graph_.mo(slot);
  const std::size_t newer = has_alternatives(step.op.kind) ? 0 : std::min<std::size_t>(step.choice, mo.size());
  const EventId predecessor = newer == mo.size() ? kInitial : mo[mo.size() - 1 - newer];
  if (graph_[e].reads) graph_.set_source(e, predecessor);
  if (graph_[e].writes) graph_.set_place(e, predecessor);
  return e;
}

ExecutionGraph graph_of(const Execution& execution) {
  StepGraph steps;
  for (const Step& step : execution.steps) steps.add(step);
  return std::move(steps.graph());
}

}  // namespace heddle::graph
