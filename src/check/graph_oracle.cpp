#include "check/graph_oracle.h"

#include <map>

#include "check/graph_enumeration.h"
#include "graph/step_graph.h"
#include "graph/trust.h"
#include "model/model_program.h"

namespace heddle::check {
namespace {

using trace::Execution;
using trace::Step;

// The graph that an execution went through, from the choices of its steps alone.
std::string text_of(const Execution& execution) {
  std::vector<GraphLine> lines;
  std::map<std::uint32_t, std::vector<EventName>> mo;
  std::map<int, int> done;
  for (const Step& step : execution.steps) {
    GraphLine line;
    line.name = {step.thread.value, done[step.thread.value]++};
    if (step.op.kind == trace::OpKind::kChoose) line.alternative = step.choice;
    if (step.op.object != kNoObject) {
      std::vector<EventName>& writes = mo[step.op.object.value];
      line.reads = graph::reads(step.op.kind);
      line.writes = graph::writes(step.op.kind);
      const std::size_t place = writes.size() - step.choice;
      if (line.reads && place > 0) line.source = writes[place - 1];
      if (line.writes) writes.insert(writes.begin() + static_cast<std::ptrdiff_t>(place), line.name);
    }
    lines.push_back(line);
  }
  std::vector<std::vector<EventName>> orders;
  for (auto& [object, writes] : mo) orders.push_back(std::move(writes));
  return graph_text(std::move(lines), orders);
}

std::optional<GraphEnd> end_of(const Execution& execution) {
  switch (execution.outcome) {
    case trace::Outcome::kComplete:
      return GraphEnd::kComplete;
    case trace::Outcome::kDeadlock:
      return GraphEnd::kDeadlock;
    case trace::Outcome::kInfeasible:
      return GraphEnd::kVoid;
    default:
      return std::nullopt;
  }
}

}  // namespace

GraphComparison compare_graphs(const Litmus& litmus, trace::MemoryModel model, std::size_t most_graphs) {
  GraphComparison result;
  GraphEnumeration expected = enumerate_graphs(litmus, model, most_graphs);
  if (expected.too_many) {
    result.left_out = true;
    return result;
  }
  model::ModelOptions options;
  options.weak_memory = true;
  auto program = model::load_model_text(to_source(litmus), "litmus.hed", {}, options);
  if (!program) {
    result.difference = program.error().message;
    return result;
  }
  graph::Trust trust(model);
  graph::ConsistencyChecker checker(model);
  trace::Schedule schedule;
  Execution execution;
  std::map<std::string, std::uint64_t> seen;
  const auto differ = [&](const std::string& what) {
    if (result.difference.empty()) result.difference = what;
  };
  while (result.difference.empty() && trust.next(schedule)) {
    (*program)->run(schedule, execution);
    ++result.executions;
    const std::string text = text_of(execution);
    const auto end = end_of(execution);
    if (!end) {
      differ("an execution ended " + std::string(name_of(execution.outcome)) + ": " + text);
      break;
    }
    (*end == GraphEnd::kComplete ? result.complete : *end == GraphEnd::kDeadlock ? result.deadlocked : result.voided)++;
    if (++seen[text] > 1) differ("twice: " + text);
    const auto known = expected.ends.find(text);
    if (known == expected.ends.end())
      differ("not allowed: " + text);
    else if (known->second != *end)
      differ("ends otherwise: " + text);
    if (checker.find_race(graph::graph_of(execution)).has_value() != expected.racy.contains(text))
      differ("a race or none: " + text);
    trust.learn(execution);
  }
  for (const auto& [text, end] : expected.ends)
    if (!seen.contains(text)) differ("missed: " + text);
  return result;
}

}  // namespace heddle::check
