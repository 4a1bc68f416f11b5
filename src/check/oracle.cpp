#include "check/oracle.h"

#include "explore/explorer.h"

namespace heddle::check {

using namespace explore;

namespace {

struct Found {
  std::map<std::string, int> classes;   // -> times met
  std::set<std::string> deadlocks;
  std::set<std::string> failures;
  std::set<std::vector<int>> final_states;
  std::uint64_t asleep = 0;
};

template <class Set>
std::string difference(const char* what, const Set& wanted, const Set& found) {
  for (const auto& w : wanted)
    if (!found.contains(w)) return std::string("missed a ") + what;
  for (const auto& f : found)
    if (!wanted.contains(f)) return std::string("invented a ") + what;
  return {};
}

std::string compare_classes(const Truth& truth, const Found& found, const StrategyOptions& options) {
  const int bound = options.preemptions ? static_cast<int>(*options.preemptions) : 1 << 30;
  for (const auto& [form, preemptions] : truth.classes)
    if (preemptions <= bound && !found.classes.contains(form)) return "missed the class " + form;
  const bool once = guarantee_of(options) == Guarantee::kEveryClassOnce;
  for (const auto& [form, times] : found.classes) {
    const auto place = truth.classes.find(form);
    if (place == truth.classes.end()) return "invented the class " + form;
    if (place->second > bound) return "went beyond the bound with the class " + form;
    if (once && times > 1) return "met " + std::to_string(times) + " times the class " + form;
  }
  return {};
}

}  // namespace

std::string disagreement(const Script& script, const Truth& truth, const StrategyOptions& options) {
  ScriptProgram program(script);
  Found found;
  ExploreOptions run;
  run.strategy = options;
  run.all = true;
  run.max_executions = 20 * truth.interleavings + 100;   // an algorithm that goes in circles must end too
  run.on_execution = [&](const Execution& e) {
    if (e.outcome == Outcome::kAsleep) {
      ++found.asleep;
      return;
    }
    const std::string form = canonical_form(e);
    ++found.classes[form];
    if (e.outcome == Outcome::kDeadlock) found.deadlocks.insert(form);
    for (const Failure& f : e.failures) found.failures.insert(failure_key(f));
    found.final_states.insert(program.final_state());
  };
  const auto result = explore::explore(program, run);
  if (!result) return result.error().message;
  if (!result.value().exhausted) return "did not end";
  if (auto d = compare_classes(truth, found, options); !d.empty()) return d;
  if (result.value().classes != found.classes.size()) return "miscounted the classes";
  if (options.preemptions) return {};
  if (auto d = difference("deadlock", truth.deadlocks, found.deadlocks); !d.empty()) return d;
  if (auto d = difference("failure", truth.failures, found.failures); !d.empty()) return d;
  if (auto d = difference("final state", truth.final_states, found.final_states); !d.empty()) return d;
  const bool optimal = options.algorithm == Algorithm::kOptimalDpor && options.order.kind == OrderKind::kDfs;
  if (optimal && found.asleep > 0) return std::to_string(found.asleep) + " executions were sleep-set blocked";
  return {};
}

}  // namespace heddle::check
