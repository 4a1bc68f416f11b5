#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <fstream>

#include "check/self_check.h"
#include "cli/front_end.h"
#include "cli/model_explorers.h"
#include "cli/options.h"
#include "cli/properties.h"
#include "cli/shared_search.h"
#include "cli/statistics.h"
#include "cli/team.h"
#include "cli/test_files.h"
#include "explore/explain.h"
#include "explore/explores_graphs.h"
#include "graph/race_watch.h"
#include "graph/relax.h"
#include "graph/strengthen.h"
#include "model/model_program.h"
#include "property/parser.h"
#include "property/watched_program.h"
#include "strategies/auto_search.h"
#include "symbolic/solver.h"

namespace heddle::cli {
namespace {

Result<std::unique_ptr<model::ModelProgram>> load(const std::string& path, const Defines& defines,
                                                  const model::ModelOptions& options) {
  return model::load_model(path, defines, options);
}

constexpr const char* kExploredInputs = "inputs explored";
const std::string kSymbolicReads = "symbolic-reads=";
const std::string kSpurious = "spurious=";
const std::string kMemory = "memory=";

trace::SavedSchedule origin_of(const RunRequest& request, const model::ModelOptions& options,
                               model::ModelProgram& model) {
  trace::SavedSchedule origin;
  origin.program = request.program;
  origin.identity = model.identity();
  origin.defines = request.defines;
  origin.input_seed = options.input_seed;
  if (options.spurious > 0 && model.waits()) origin.settings.push_back(kSpurious + std::to_string(options.spurious));
  if (options.weak_memory) origin.settings.push_back(kMemory + trace::name_of(*request.strategy.memory));
  append_settings(request.properties, origin.settings);
  if (model.inputs() == nullptr) return origin;
  origin.settings.push_back(kExploredInputs);
  if (options.checks.overflow) origin.settings.push_back("check-overflow");
  if (!options.checks.division) origin.settings.push_back("no-check-division");
  if (!options.checks.bounds) origin.settings.push_back("no-check-bounds");
  if (options.symbolic_reads > 0) origin.settings.push_back(kSymbolicReads + std::to_string(options.symbolic_reads));
  return origin;
}

model::ModelOptions model_options(const RunRequest& request) {
  const InputRequest& in = request.inputs;
  model::ModelOptions options;
  options.input_seed = in.seed != 0 ? in.seed : request.strategy.seed;
  if (request.max_steps) options.max_steps = *request.max_steps;
  options.spurious = request.spurious;
  options.inputs = in.explore ? model::InputMode::kSymbolic : model::InputMode::kRandom;
  if (in.branches == "random") options.branch_order = model::BranchOrder::kRandom;
  if (in.branches == "new-coverage") options.branch_order = model::BranchOrder::kNewCoverage;
  options.branch_seed = in.branch_seed;
  options.checks = {in.division, in.bounds, in.overflow};
  options.symbolic_reads = in.symbolic_reads;
  options.queries.z3_limit = std::chrono::milliseconds(in.solver_milliseconds);
  options.queries.cadical_limit = std::min(options.queries.cadical_limit, options.queries.z3_limit);
  options.queries.shortcuts = in.solver == "staged";
  if (in.solver == "scratch") options.queries.cadical_limit = {};
  options.coverage = in.coverage.has_value();
  options.weak_memory = explores_graphs(request.strategy);
  return options;
}

// The result of a replayed execution, as if it had been a whole exploration.
explore::ExploreResult replay_result(trace::Execution execution, const std::vector<trace::Decision>& steps) {
  explore::ExploreResult result;
  result.algorithm = "replay";
  result.executions = 1;
  result.steps = execution.steps.size();
  if (execution.diverged_at != kNoEvent) return result;
  result.classes = 1;
  result.deadlocked = execution.outcome == trace::Outcome::kDeadlock ? 1 : 0;
  result.failed = execution.outcome == trace::Outcome::kFailed ? 1 : 0;
  for (const trace::Failure& f : execution.failures) {
    const bool known = std::any_of(result.findings.begin(), result.findings.end(), [&](const auto& other) {
      return other.failure.kind == f.kind && other.failure.where == f.where && other.failure.message == f.message;
    });
    if (!known) result.findings.push_back({f, execution, steps, 1, {}});
  }
  return result;
}

// What is asked about the model's states, on the command line and in its text.
Result<std::vector<property::Property>> properties_of(const PropertyRequest& request,
                                                      const model::ModelProgram& model) {
  const std::unique_ptr<property::Names> names = model.property_names();
  std::vector<property::Property> properties;
  for (const property::Statement& statement : statements_of(request)) {
    auto property = property::make_property(statement, *names);
    if (!property) return Error{"--" + property.error().message};
    properties.push_back(std::move(*property));
  }
  for (const model::InvariantText& invariant : model.invariants()) {
    property::Expression scratch;
    const property::Parsed parsed = property::parse(invariant.text, *names, scratch);
    if (!parsed.ok)
      return model.error(invariant.at + static_cast<model::Offset>(parsed.complaint.at), parsed.complaint.message);
    auto property = property::make_property({property::Kind::kAlways, invariant.text, {}, invariant.at + 1}, *names);
    INVARIANT(property.ok());
    properties.push_back(std::move(*property));
  }
  return properties;
}

property::Look look_for(const explore::StrategyOptions& strategy) {
  return explore::covers_local_states(strategy.algorithm) ? property::Look::kAlong : property::Look::kClass;
}

unfold::GlobalQuestions global_questions(const PropertyRequest& request,
                                         const std::vector<property::Property>& properties,
                                         model::ModelProgram& model) {
  const property::InputQuestions questions = questions_about(model);
  unfold::GlobalQuestions global{properties, questions.space, questions.prefer, {}, {}, {}};
  if (request.global == "smt")
    global.make_solver = [](symbolic::TermStore& terms) {
      return symbolic::make_solver_chain(terms, unfold::kFormulaFirst);
    };
  return global;
}

// For strategies that compute long between executions: goes on until the time is up or the observer has had enough.
// The observer is shown the last progress again, with the time as it is.
std::function<bool()> between_executions(explore::ExploreOptions& engine) {
  const auto start = std::chrono::steady_clock::now();
  const auto last = std::make_shared<explore::Progress>();
  const auto observer = engine.observer;
  if (observer)
    engine.observer = [observer, last](const explore::Progress& progress) {
      *last = progress;
      return observer(progress);
    };
  return [start, limit = engine.max_seconds, observer, last] {
    last->seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return (!limit || last->seconds < *limit) && (!observer || observer(*last));
  };
}

// All that decides what is explored, beside algorithm and model.
std::string settings_text(const model::ModelOptions& options, const trace::SavedSchedule& origin) {
  std::string text = " --max-steps=" + std::to_string(options.max_steps);
  if (origin.input_seed != 0) text += " --seed=" + std::to_string(origin.input_seed);
  for (const std::string& setting : origin.settings) text += ", " + setting;
  if (options.branch_order == model::BranchOrder::kRandom)
    text += " --branches=random:" + std::to_string(options.branch_seed);
  return text;
}

// Every explorer has the model to itself.
Result<SharedResult> explore_by_several(const RunRequest& request, const model::ModelOptions& options,
                                        model::ModelProgram& model, const std::vector<property::Property>& properties,
                                        const explore::ExploreOptions& engine) {
  const std::string option = request.jobs > 1 ? "-j" : request.serve ? "--serve" : "--journal";
  if (model.inputs() != nullptr && options.branch_order == model::BranchOrder::kNewCoverage)
    return Error{"--branches=new-coverage goes by what the whole search has seen, and with " + option +
                 " nobody sees all of it; use --branches=dfs or random"};
  if (request.strategy.automatic && !request.strategy.memory && !model.weaker_orders().empty())
    return Error{"the model has orders weaker than seq_cst, and " + option +
                 " explores interleavings; drop it, or add --memory=sc"};
  if (request.journal && !properties.empty())
    return Error{"--journal does not keep in which states properties were looked for; drop it, or the property"};
  LeftOpen left_open;
  const ModelSource source{request.program, request.defines, options};
  const auto make = [&] { return own_model(source, properties, left_open); };
  const auto hurried = [&] { return hurried_in(options); };
  const trace::SavedSchedule origin = origin_of(request, options, model);
  SharedSearch search{
      make, request.jobs, request.journal, request.program, origin.identity, settings_text(options, origin), hurried};
  Served served;
  if (request.serve) {
    auto opened = serve(request);
    if (!opened) return opened.error();
    served = std::move(*opened);
    std::fprintf(stderr, "heddle: %s\n", served.note.c_str());
    search.serve = served.access;
    search.job = model_job(request);
  }
  ModelNumbers numbers(model);
  search.numbers = &numbers;
  auto shared = explore_together(engine, search);
  if (!shared) return shared;
  model.leave_open(dist::take_open_inputs(shared->result));
  // What other processes of the search have learnt.
  for (const trace::Assumption& assumption : shared->result.assumptions)
    for (const std::uint32_t place : assumption.places) options.hurried->add(place);
  shared->result.assumptions.clear();
  for (const std::string& reason : left_open.reasons)
    shared->result.gaps.push_back({explore::Cause::kStatesOpen, reason});
  return shared;
}

// The request with what the model's orders decide.
RunRequest with_memory(RunRequest request, model::ModelProgram& model) {
  const bool decide = request.any_memory && request.jobs == 1 && !request.journal && !request.serve &&
                      model.inputs() == nullptr && model.invariants().empty();
  if (decide && !model.weaker_orders().empty()) {
    request.strategy.algorithm = explore::Algorithm::kTrust;
    request.strategy.memory = trace::MemoryModel::kCpp20;
  }
  if (request.strategy.algorithm == explore::Algorithm::kTrust && !request.strategy.memory)
    request.strategy.memory = trace::MemoryModel::kSc;
  return request;
}

// What does not go with execution graphs yet.
std::optional<Error> too_much_for_trust(const RunRequest& request, model::ModelProgram& model, bool properties) {
  if (!explores_graphs(request.strategy)) return std::nullopt;
  const bool trust = request.strategy.algorithm == explore::Algorithm::kTrust;
  const std::string who = trust ? "trust" : "--memory=" + std::string(trace::name_of(*request.strategy.memory));
  const std::string remedy = "; use --algorithm=optimal-dpor, which explores under sequential consistency";
  if (model.inputs() != nullptr) return Error{who + " does not explore inputs" + remedy + ", or --inputs=random"};
  if (properties) return Error{who + " does not look at properties of global states" + remedy};
  if (request.jobs > 1) return Error{"trust is one explorer; drop -j"};
  if (!request.prefix.empty())
    return Error{"trust explores whole graphs, not what follows a schedule; drop --prefix-only"};
  return std::nullopt;
}

// Under sequential consistency not everything that weaker orders allow was looked at.
void admit_weaker_orders(const RunRequest& request, const model::ModelProgram& model, explore::ExploreResult& result) {
  if (request.strategy.memory.value_or(trace::MemoryModel::kSc) == trace::MemoryModel::kCpp20) return;
  std::vector<std::uint32_t> places = model.weaker_orders();
  if (places.empty() || !result.findings.empty()) return;
  const bool tso = request.strategy.memory == trace::MemoryModel::kTso;
  const auto kind = trace::AssumptionKind::kSequentialConsistency;
  result.assumptions.push_back({kind, tso ? "the memory of x86" : text_of(kind), std::move(places)});
}

// In what is left of the time.
explore::Relaxation relax_orders(trace::Program& program, model::ModelProgram& model, const RunRequest& request,
                                 const Observer& observer, double seconds_spent) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  explore::Progress progress;
  graph::RelaxOptions how;
  how.trials.model = *request.strategy.memory;
  how.trials.give = [&model](auto orders, auto fences) { model.give_orders(orders, fences); };
  how.stop = [&]() -> std::string {
    constexpr std::uint64_t kLookEvery = 256;
    if (++progress.executions % kLookEvery != 0) return {};
    progress.seconds = seconds_spent + std::chrono::duration<double>(Clock::now() - start).count();
    if (observer && !observer(progress)) return "it was interrupted";
    return request.max_seconds && progress.seconds > *request.max_seconds ? "the time was over" : "";
  };
  return graph::relax(program, how);
}

// Other interleavings of the same choices would be other graphs, so it is not by their order that findings are
// explained.
void explain_by_orders(trace::Program& program, model::ModelProgram& model, trace::MemoryModel memory,
                       explore::ExploreResult& result) {
  graph::OrderTrials how;
  how.model = memory;
  how.give = [&model](auto orders, auto fences) { model.give_orders(orders, fences); };
  graph::explain_by_orders(program, how, result);
}

Result<std::optional<TestFiles>> test_files(const RunRequest& request, const trace::SavedSchedule& origin,
                                            const trace::Describer& describer) {
  if (!request.inputs.tests) return std::optional<TestFiles>();
  auto made = TestFiles::in(*request.inputs.tests, origin, describer);
  if (!made) return made.error();
  return std::optional<TestFiles>(std::move(*made));
}

void say_what_is_open(model::ModelProgram& model, const property::WatchedProgram& watched,
                      const model::ModelOptions& options, explore::ExploreResult& result) {
  if (std::string open = model.left_open(); !open.empty())
    result.gaps.push_back({explore::Cause::kInputsOpen, std::move(open)});
  if (std::string open = watched.left_open(); !open.empty())
    result.gaps.push_back({explore::Cause::kStatesOpen, std::move(open)});
  if (model.draws_inputs()) result.gaps.push_back({explore::Cause::kInputsDrawn, std::to_string(options.input_seed)});
}

Result<SharedResult> explore_alone(trace::Program& program, const explore::ExploreOptions& engine,
                                   const strategies::Setting& setting, const strategies::AutoOptions& how) {
  auto result = strategies::explores_auto(engine) ? strategies::explore_auto(program, engine, setting, how)
                                                  : explore::explore(program, engine);
  if (!result) return result.error();
  std::string note = result->note;
  return SharedResult{std::move(*result), std::move(note)};
}

std::string statistics_of(model::ModelProgram& model) {
  return model.inputs() != nullptr ? solver_table(model.inputs()->counts()) : "solver: not needed\n";
}

// Explains what was found. Gives the model that it was explained by, if that is not the one that was explored.
Result<std::unique_ptr<model::ModelProgram>> explain(const RunRequest& request, const model::ModelOptions& options,
                                                     trace::Program& program, model::ModelProgram& model,
                                                     const std::vector<property::Property>& properties,
                                                     explore::ExploreResult& result) {
  std::unique_ptr<model::ModelProgram> other;
  if (options.weak_memory) {
    explain_by_orders(program, model, *request.strategy.memory, result);
  } else if (model.inputs() != nullptr) {
    auto fresh = load(request.program, request.defines, options);
    if (!fresh) return fresh.error();
    other = std::move(*fresh);
    explain_afresh({model, *other}, properties, {.minimize = !request.no_minimize, .feasibility = other.get()}, result);
  } else {
    explore::explain_findings(program, result, {.minimize = !request.no_minimize, .feasibility = &model});
  }
  return other;
}

}  // namespace

Result<ExploredProgram> explore_model(const RunRequest& asked, const Observer& observer) {
  auto model = load(asked.program, asked.defines, model_options(asked));
  if (!model) return model.error();
  const RunRequest request = with_memory(asked, **model);
  model::ModelOptions options = model_options(request);
  if (options.weak_memory) model = load(request.program, request.defines, options);
  if (!model) return model.error();
  options.hurried = (*model)->hurried();
  explore::ExploreOptions engine = engine_options(request, observer);
  engine.probe = !options.coverage;  // only what is explored counts
  if ((*model)->inputs() != nullptr) engine.strategy.feasibility = model->get();
  const trace::SavedSchedule origin = origin_of(request, options, **model);
  auto tests = test_files(request, origin, **model);
  if (!tests) return tests.error();
  auto properties = properties_of(request.properties, **model);
  if (!properties) return properties.error();
  if (auto error = too_much_for_trust(request, **model, !properties->empty())) return *error;
  property::WatchedProgram watched(**model, *properties, look_for(request.strategy), questions_about(**model));
  graph::RaceWatch races(**model, **model);
  trace::Program& alone = **model;
  trace::Program& program = !properties->empty()                                    ? watched
                            : options.weak_memory && (*model)->has_plain_accesses() ? races
                                                                                    : alone;
  strategies::Setting setting;
  setting.global = global_questions(request.properties, *properties, **model);
  setting.goes_on = between_executions(engine);
  strategies::install(engine, setting);
  std::optional<check::SelfCheck> check;
  if (request.check) check.emplace(request.strategy, check::Locks::kForever);
  if (check || *tests)
    engine.on_execution = [&](const trace::Execution& execution) {
      if (check) check->on_execution(execution);
      if (*tests) (*tests)->add(execution);
    };
  const bool by_several = request.jobs != 1 || request.journal || request.serve;
  auto found = by_several ? explore_by_several(request, options, **model, *properties, engine)
                          : explore_alone(program, engine, setting, {.unfolding = properties->empty()});
  if (!found) return found.error();
  explore::ExploreResult& result = found->result;
  result.name_places(**model);
  say_what_is_open(**model, watched, options, result);
  if (request.inputs.coverage)
    if (auto error = write_coverage(*request.inputs.coverage, (*model)->coverage())) return *error;
  watched.set_look(property::Look::kReplay);
  admit_weaker_orders(request, **model, result);
  if (result.findings.empty())
    for (trace::Assumption& one : hurried_in(options)) result.assumptions.push_back(std::move(one));
  if (request.relax && result.findings.empty() && result.exhausted())
    result.relaxation = relax_orders(program, **model, request, observer, result.seconds);
  std::string statistics = request.stats ? statistics_of(**model) : "";
  auto other = explain(request, options, program, **model, *properties, result);
  if (!other) return other.error();
  if (check) check->conclude(program, result);
  std::vector<property::Statement> statements;
  for (const property::Property& p : *properties) statements.push_back(p.statement);
  answer(statements, result);
  std::unique_ptr<model::ModelProgram>& shown = *other != nullptr ? *other : *model;
  return ExploredProgram{std::move(result),    std::move(shown), origin, std::move(found->note), {},
                         std::move(statistics)};
}

Result<ModelExplorers> model_explorers(const RunRequest& request) {
  auto model = load(request.program, request.defines, model_options(request));
  if (!model) return model.error();
  model::ModelOptions options = model_options(request);
  options.hurried = (*model)->hurried();
  const auto make = [source = ModelSource{request.program, request.defines, options},
                     left_open = std::make_shared<LeftOpen>()] { return own_model(source, {}, *left_open); };
  return ModelExplorers{make, request.strategy, [options] { return hurried_in(options); }};
}

Result<ExploredProgram> replay_model(const trace::SavedSchedule& saved) {
  model::ModelOptions options;
  options.input_seed = saved.input_seed;
  // Inputs that were explored are in the file. One that says only how branches turn out has them found again.
  if (std::find(saved.settings.begin(), saved.settings.end(), kExploredInputs) != saved.settings.end()) {
    options.inputs = saved.inputs.empty() ? model::InputMode::kSymbolic : model::InputMode::kGiven;
    options.given = saved.inputs;
  }
  PropertyRequest asked;
  trace::MemoryModel memory = trace::MemoryModel::kCpp20;
  for (const std::string& setting : saved.settings) {
    take_setting(setting, asked);
    if (setting.starts_with(kSpurious))
      options.spurious = static_cast<std::uint32_t>(std::strtoul(setting.c_str() + kSpurious.size(), nullptr, 10));
    if (setting.starts_with(kMemory)) {
      options.weak_memory = true;
      memory = trace::memory_model_named(setting.substr(kMemory.size())).value_or(memory);
    }
    if (setting == "check-overflow") options.checks.overflow = true;
    if (setting == "no-check-division") options.checks.division = false;
    if (setting == "no-check-bounds") options.checks.bounds = false;
    if (setting.starts_with(kSymbolicReads)) {
      InputRequest in;
      if (const Complaint c = take_symbolic_reads(setting.substr(kSymbolicReads.size()), in); !c.empty())
        return Error{"the schedule has the setting \"" + setting + "\": " + c +
                     "; save it again with `heddle run ... --save=FILE`"};
      options.symbolic_reads = in.symbolic_reads;
    }
  }
  // Whatever bound the schedule was found under, its own steps must fit; what follows them may still spin.
  options.max_steps += static_cast<std::uint32_t>(saved.steps.size());
  auto model = load(saved.program, saved.defines, options);
  if (!model) return model.error();
  auto properties = properties_of(asked, **model);
  if (!properties) return properties.error();
  property::WatchedProgram watched(**model, *properties, property::Look::kReplay, questions_about(**model));
  graph::RaceWatch races(**model, **model);
  trace::Program& alone = **model;
  trace::Program& program = !properties->empty()                                    ? watched
                            : options.weak_memory && (*model)->has_plain_accesses() ? races
                                                                                    : alone;
  trace::Execution execution;
  explore::replay(program, saved.steps, execution);
  explore::ExploreResult result = replay_result(std::move(execution), saved.steps);
  if (options.weak_memory)
    explain_by_orders(program, **model, memory, result);
  else
    explore::explain_findings(program, result, {.minimize = false, .shorten = false, .feasibility = model->get()});
  trace::SavedSchedule origin = saved;
  origin.identity = (*model)->identity();
  ExploredProgram replayed{std::move(result), std::move(*model), std::move(origin), {}, {}};
  judge_replay(saved, replayed);
  return replayed;
}

}  // namespace heddle::cli
