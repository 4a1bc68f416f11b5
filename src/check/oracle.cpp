#include "check/oracle.h"

#include "explore/explorer.h"
#include "explore/minimize.h"

namespace heddle::check {

using namespace explore;

namespace {

struct Found {
  std::map<std::string, int> classes;  // -> times met
  std::set<std::string> deadlocks;     // canonical forms
  std::set<std::string> failures;
  std::set<std::vector<int>> final_states;
  std::uint64_t asleep = 0;
};

// What an exact algorithm finds; with a bound, what the classes within it show.
Found wanted_of(const Truth& truth, std::optional<std::uint32_t> bound) {
  Found wanted;
  for (const auto& [form, c] : truth.classes) {
    if (bound && c.preemptions > static_cast<int>(*bound)) continue;
    wanted.classes[form] = 1;
    if (c.deadlocked) wanted.deadlocks.insert(form);
    wanted.failures.insert(c.failures.begin(), c.failures.end());
    wanted.final_states.insert(c.final_state);
  }
  return wanted;
}

template <class Set>
std::string difference(const char* what, const Set& wanted, const Set& found) {
  for (const auto& w : wanted)
    if (!found.contains(w)) return std::string("missed a ") + what;
  for (const auto& f : found)
    if (!wanted.contains(f)) return std::string("invented a ") + what;
  return {};
}

std::string compare_classes(const Truth& truth, const Found& wanted, const Found& found, bool once) {
  for (const auto& [form, _] : wanted.classes)
    if (!found.classes.contains(form)) return "missed the class " + form;
  for (const auto& [form, times] : found.classes) {
    if (!truth.classes.contains(form)) return "invented the class " + form;
    if (!wanted.classes.contains(form)) return "went beyond the bound with the class " + form;
    if (once && times > 1) return "met " + std::to_string(times) + " times the class " + form;
  }
  return {};
}

// With all of its steps, and with those that are shown to a user.
bool leads_there(Program& program, const Finding& finding) {
  Effort effort(1, finding.execution.steps.size() + 1);
  const FailingRun run{finding.failure, finding.execution, finding.schedule};
  for (const auto& schedule : {finding.schedule, schedule_of(program, run, effort)}) {
    Execution execution;
    replay(program, schedule, execution);
    if (failure_like(execution, finding.failure) == nullptr) return false;
  }
  return true;
}

}  // namespace

std::string disagreement(const Script& script, const Truth& truth, const StrategyOptions& options) {
  if (!truth.torn.empty()) return "members of one class end otherwise: " + truth.torn;
  if (!truth.uneven.empty()) return "other members than linearisations: " + truth.uneven;
  ScriptProgram program(script);
  Found found;
  ExploreOptions run;
  run.strategy = options;
  run.all = true;
  // An algorithm that goes in circles must end too. (Looks in vain are interleavings that the truth does not have.)
  run.max_executions = 20 * truth.interleavings + 1'000'000;
  run.on_execution = [&](const Execution& e) {
    if (e.outcome == Outcome::kAsleep) {
      ++found.asleep;
      return;
    }
    if (e.outcome == Outcome::kInfeasible) return;
    const std::string form = canonical_form(program.without_idle_turns());
    ++found.classes[form];
    if (e.outcome == Outcome::kDeadlock) found.deadlocks.insert(form);
    for (const Failure& f : e.failures) found.failures.insert(failure_key(f));
    found.final_states.insert(program.final_state());
  };
  const auto result = explore::explore(program, run);
  if (!result) return result.error().message;
  if (!result.value().exhausted()) return "did not end";
  for (const Finding& finding : result.value().findings)
    if (!leads_there(program, finding)) return "found a failure that its schedule does not lead to";
  const Found wanted = wanted_of(truth, options.preemptions);
  const bool once = guarantee_of(options) == Guarantee::kEveryClassOnce;
  if (auto d = compare_classes(truth, wanted, found, once); !d.empty()) return d;
  if (result.value().classes != found.classes.size()) return "miscounted the classes";
  if (auto d = difference("deadlock", wanted.deadlocks, found.deadlocks); !d.empty()) return d;
  if (auto d = difference("failure", wanted.failures, found.failures); !d.empty()) return d;
  if (auto d = difference("final state", wanted.final_states, found.final_states); !d.empty()) return d;
  const bool optimal = once && options.algorithm == Algorithm::kOptimalDpor && options.order.kind == OrderKind::kDfs;
  if (optimal && found.asleep > 0) return std::to_string(found.asleep) + " executions were sleep-set blocked";
  return {};
}

}  // namespace heddle::check
