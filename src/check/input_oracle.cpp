#include "check/input_oracle.h"

#include <map>

#include "check/brute_force.h"
#include "check/enumeration.h"
#include "check/script_program.h"
#include "explore/explorer.h"
#include "model/model_program.h"

namespace heddle::check {

using namespace explore;

namespace {

constexpr int kValues = 4;  // scripts look at two bits of an input

std::string form_of(const Execution& execution, const std::map<int, std::string>& branches) {
  std::string form = canonical_form(execution);
  for (const auto& [thread, outcomes] : branches) form += "| " + std::to_string(thread) + ": " + outcomes + " ";
  return form;
}

// The execution without its branches, and these apart.
std::string form_of_symbolic(const Execution& execution) {
  Execution plain = execution;
  std::map<int, std::string> branches;
  std::erase_if(plain.steps, [&](const Step& s) {
    if (s.op.kind != OpKind::kBranch && s.op.kind != OpKind::kAssume) return false;
    branches[s.thread.value] += s.choice != 0 ? '1' : '0';
    return true;
  });
  return form_of(plain, branches);
}

std::string failure_of(const Failure& f) {
  if (f.kind == FailureKind::kDeadlock) return "deadlock";
  return std::to_string(f.thread.value) + name_of(f.kind) + f.message;
}

void count_inputs(const std::vector<Stmt>& statements, int& count) {
  for (const Stmt& s : statements) {
    if (s.kind == StmtKind::kInput) ++count;
    count_inputs(s.body, count);
  }
}

// All interleavings with the inputs that the program has. False: the limit is exceeded.
bool enumerate(ScriptProgram& program, InputTruth& truth, std::uint64_t limit) {
  Enumeration interleavings(program);
  Execution execution;
  while (interleavings.next(execution)) {
    if (++truth.runs > limit) return false;
    if (program.infeasible()) continue;
    const std::string form = form_of(execution, program.branches());
    truth.classes.insert(form);
    if (execution.outcome == Outcome::kDeadlock) truth.deadlocks.insert(form);
    if (execution.outcome == Outcome::kDeadlock) truth.failures.insert("deadlock");
    for (const Failure& f : execution.failures) truth.failures.insert(failure_of(f));
  }
  return true;
}

std::string difference(const char* what, const std::set<std::string>& wanted, const std::set<std::string>& found) {
  for (const std::string& w : wanted)
    if (!found.contains(w)) return std::string("missed the ") + what + " " + w;
  for (const std::string& f : found)
    if (!wanted.contains(f)) return std::string("invented the ") + what + " " + f;
  return {};
}

}  // namespace

std::optional<InputTruth> brute_force_inputs(const Script& script, std::uint64_t limit) {
  ScriptProgram program(script);
  InputTruth truth;
  std::vector<std::pair<int, int>> names;
  for (std::size_t t = 0; t < script.threads.size(); ++t) {
    int count = 0;
    count_inputs(script.threads[t], count);
    for (int k = 0; k < count; ++k) names.emplace_back(static_cast<int>(t), k);
  }
  std::uint64_t combinations = 1;
  for (std::size_t i = 0; i < names.size(); ++i) combinations *= kValues;
  for (std::uint64_t c = 0; c < combinations; ++c) {
    std::map<std::pair<int, int>, int> inputs;
    std::uint64_t rest = c;
    for (const auto& name : names) {
      inputs[name] = static_cast<int>(rest % kValues);
      rest /= kValues;
    }
    program.set_inputs(std::move(inputs));
    if (!enumerate(program, truth, limit)) return std::nullopt;
  }
  return truth;
}

std::string disagreement_on_inputs(const Script& script, const InputTruth& truth, const StrategyOptions& options) {
  model::ModelOptions symbolic;
  symbolic.inputs = model::InputMode::kSymbolic;
  auto model = model::load_model_text(to_source(script), "script.hed", {}, symbolic);
  if (!model) return model.error().message;
  std::map<std::string, int> times;
  InputTruth found;
  std::uint64_t asleep = 0;
  ExploreOptions run;
  run.strategy = options;
  run.strategy.feasibility = model->get();
  run.all = true;
  // An algorithm that goes in circles must end too. Branches make interleavings of their own, which exhaustive
  // may find to be too many.
  run.max_executions = 20 * truth.runs + 1000;
  run.on_execution = [&](const Execution& e) {
    if (e.outcome == Outcome::kAsleep) ++asleep;
    for (const Step& s : e.steps)
      if (s.op.kind == OpKind::kAssume && s.choice == 0) return;  // infeasible, whatever else happened
    if (e.outcome == Outcome::kAsleep || e.outcome == Outcome::kInfeasible) return;
    const std::string form = form_of_symbolic(e);
    ++times[form];
    found.classes.insert(form);
    if (e.outcome == Outcome::kDeadlock) found.deadlocks.insert(form);
    for (const Failure& f : e.failures) found.failures.insert(failure_of(f));
  };
  const auto result = explore::explore(**model, run);
  if (!result) return result.error().message;
  if (!result.value().exhausted()) {
    if (auto d = difference("class", found.classes, truth.classes); d.starts_with("missed")) return "invented a class";
    return options.algorithm == Algorithm::kExhaustive ? "" : "did not end";
  }
  if (!(*model)->left_open().empty()) return (*model)->left_open();
  if (auto d = difference("class", truth.classes, found.classes); !d.empty()) return d;
  if (auto d = difference("deadlock", truth.deadlocks, found.deadlocks); !d.empty()) return d;
  if (auto d = difference("failure", truth.failures, found.failures); !d.empty()) return d;
  if (guarantee_of(options) == Guarantee::kEveryClassOnce)
    for (const auto& [form, n] : times)
      if (n > 1) return "met " + std::to_string(n) + " times the class " + form;
  const bool optimal = options.algorithm == Algorithm::kOptimalDpor && options.order.kind == OrderKind::kDfs;
  if (optimal && asleep > 0) return std::to_string(asleep) + " executions were sleep-set blocked";
  return {};
}

}  // namespace heddle::check
