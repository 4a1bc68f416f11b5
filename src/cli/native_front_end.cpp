// Native programs: what the user asked for becomes options of the supervisor, and settings of a saved schedule become
// options again.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "cli/front_end.h"
#include "cli/options.h"
#include "cli/properties.h"
#include "cli/shared_search.h"
#include "cli/statistics.h"
#include "cli/team.h"
#include "cli/test_files.h"
#include "explore/explores_graphs.h"
#include "native/supervisor/debugger.h"
#include "native/supervisor/tests.h"
#include "report/json.h"

namespace heddle::cli {
namespace {

using supervisor::NativeOptions;

void set_inputs(const RunRequest& request, protocol::InputOptions& out) {
  const InputRequest& in = request.inputs;
  out.mode = in.explore ? protocol::InputMode::kExplore : protocol::InputMode::kRandom;
  out.seed = in.seed != 0 ? in.seed : request.strategy.seed;
  if (in.branches == "random") out.branches = protocol::BranchOrder::kRandom;
  if (in.branches == "new-coverage") out.branches = protocol::BranchOrder::kNewCoverage;
  out.branch_seed = in.branch_seed;
  out.check_division = in.division;
  out.check_bounds = in.bounds;
  out.check_overflow = in.overflow;
  out.symbolic_reads = in.symbolic_reads;
  out.solver_milliseconds = in.solver_milliseconds;
  out.first_solver_milliseconds = std::min(out.first_solver_milliseconds, in.solver_milliseconds);
  out.shortcuts = in.solver == "staged";
  if (in.solver == "scratch") out.first_solver_milliseconds = 0;
  out.arguments = in.arguments;
  out.argument_length = in.argument_length;
  for (const auto& [name, length] : in.variables) out.variables.push_back({name, length});
  out.standard_input = in.standard_input;
  out.send_paths = in.tests.has_value();
}

// Settings about what was learnt: "visible=<address>/<bytes>", "mixed=<address>", "spin=<pc>",
// "wait-loop=<number>", "asked=<number>", "long-loop=0", "freed=<address>", "barrier=<number>/<thread>",
// "compared=<address>", all hexadecimal.
constexpr std::pair<protocol::LearntKind, std::string_view> kLearntNames[] = {
    {protocol::LearntKind::kVisibleBytes, "visible"}, {protocol::LearntKind::kMixedAccesses, "mixed"},
    {protocol::LearntKind::kSpinSite, "spin"},        {protocol::LearntKind::kWaitLoop, "wait-loop"},
    {protocol::LearntKind::kAsked, "asked"},          {protocol::LearntKind::kLongLoop, "long-loop"},
    {protocol::LearntKind::kFreedObject, "freed"},    {protocol::LearntKind::kBarrierUser, "barrier"},
    {protocol::LearntKind::kCompared, "compared"},
};

bool has_bytes(protocol::LearntKind kind) {
  return kind == protocol::LearntKind::kVisibleBytes || kind == protocol::LearntKind::kBarrierUser;
}

bool is_about_learnt(std::string_view name) {
  return std::any_of(std::begin(kLearntNames), std::end(kLearntNames),
                     [&](const auto& row) { return row.second == name; });
}

std::string learnt_setting(const protocol::Learnt& learnt) {
  std::string text;
  for (const auto& [kind, name] : kLearntNames)
    if (kind == learnt.kind) text = fmt::format("{}={:x}", name, learnt.address);
  return has_bytes(learnt.kind) ? fmt::format("{}/{:x}", text, learnt.bytes) : text;
}

bool take_hexadecimal(std::string_view text, auto& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out, 16);
  return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

Result<protocol::Learnt> parse_learnt(std::string_view setting) {
  protocol::Learnt learnt;
  const auto equals = setting.find('=');
  for (const auto& [kind, name] : kLearntNames)
    if (name == setting.substr(0, equals)) learnt.kind = kind;
  const std::string_view value = setting.substr(equals + 1);
  const auto slash = value.find('/');
  bool good = take_hexadecimal(value.substr(0, slash), learnt.address);
  if (has_bytes(learnt.kind))
    good = good && slash != value.npos && take_hexadecimal(value.substr(slash + 1), learnt.bytes);
  if (learnt.kind == protocol::LearntKind::kBarrierUser)
    good = good && learnt.address >> 32 == 0 && (learnt.bytes < kMaxThreads || learnt.bytes == protocol::kOtherUse);
  // Addresses of user space only: nothing is looked up beyond.
  if (!good || learnt.address >> 47 != 0)
    return Error{"the setting \"" + std::string(setting) +
                 "\" is not of the form visible=ADDRESS/BYTES, mixed=ADDRESS, " +
                 "spin=ADDRESS, wait-loop=NUMBER, asked=NUMBER, long-loop=0, freed=ADDRESS, barrier=NUMBER/THREAD or "
                 "compared=ADDRESS; " +
                 "save the schedule again with `heddle run ... --save=FILE`"};
  return learnt;
}

std::optional<Error> take_learnt(const RunRequest& request, protocol::WorkerOptions& worker) {
  for (const std::string& setting : request.native.learnt) {
    auto learnt = parse_learnt(setting);
    if (!learnt) return learnt.error();
    worker.learnt.push_back(*learnt);
  }
  return std::nullopt;
}

Result<NativeOptions> native_options(const RunRequest& request) {
  NativeOptions options;
  options.program = request.program;
  options.instrument = request.native.instrument;
  options.flags = request.native.flags;
  options.arguments = request.native.arguments;
  options.quiet = request.quiet;
  options.properties = statements_of(request.properties);
  options.worker.properties.by_formula = request.properties.global == "smt";
  options.relax = request.relax;
  if (supervisor::is_source(request.program)) {
    for (const auto& [name, value] : request.defines)
      options.flags.push_back("-D" + name + "=" + std::to_string(value));
  } else {
    if (!request.defines.empty())
      return Error{"-D is for models and sources; \"" + request.program + "\" is compiled already: drop it"};
    // An executable has nothing to compile: all that follows "--" is for the program.
    std::swap(options.flags, options.arguments);
    if (!options.flags.empty())
      return Error{"\"" + request.program + "\" is an executable and takes one list of arguments after --"};
  }
  protocol::WorkerOptions& worker = options.worker;
  worker.strategy = request.strategy;
  worker.max_executions = request.max_executions;
  worker.max_seconds = request.max_seconds;
  worker.all = request.all;
  worker.keep_executions = request.reports.html || request.keep_executions ? kLargestTree : 0;
  worker.prefix = request.prefix;
  worker.minimize = !request.no_minimize;
  worker.check = request.check;
  if (request.max_steps) worker.max_steps = *request.max_steps;
  worker.races = request.native.races == "explore"  ? protocol::RaceMode::kExplore
                 : request.native.races == "ignore" ? protocol::RaceMode::kIgnore
                                                    : protocol::RaceMode::kReport;
  if (request.native.suppressions) {
    auto suppressions = supervisor::read_suppressions(*request.native.suppressions);
    if (!suppressions) return suppressions.error();
    options.suppressions = std::move(*suppressions);
  }
  worker.ignored = request.native.ignored;
  if (request.native.isolation == "process") worker.isolation = protocol::Isolation::kProcess;
  worker.checkpoints = request.native.checkpoints == "on";
  worker.spurious = request.spurious;
  worker.known_steps = request.native.known_steps == "on";
  worker.jobs = request.jobs;
  if (request.native.backend == "threads") worker.backend = protocol::Backend::kThreads;
  if (auto error = take_learnt(request, worker)) return *error;
  if (!worker.learnt.empty()) options.learnt_about = request.native.learnt_about;
  worker.test = request.native.test;
  worker.input_seed = request.strategy.seed;
  options.symbolic = request.native.symbolic || request.inputs.gives_any();
  options.coverage = request.native.coverage || request.inputs.coverage.has_value();
  worker.coverage = request.inputs.coverage.has_value();
  set_inputs(request, worker.inputs);
  options.any_memory = request.any_memory && worker.races != protocol::RaceMode::kIgnore && !worker.coverage &&
                       !worker.inputs.send_paths && worker.prefix.empty();
  return options;
}

// What several processes cannot do together, or one search in several runs.
std::optional<Error> not_for_several(const RunRequest& request) {
  if (request.strategy.algorithm != explore::Algorithm::kTrust || request.journal)
    if (auto error = refusal(request.strategy, request.journal)) return error;
  if (request.inputs.explore && request.inputs.branches == "new-coverage")
    return Error{
        "--branches=new-coverage goes by what the whole search has seen, and with -j, --journal and --serve nobody "
        "sees "
        "all of it; use --branches=dfs or random"};
  if (!request.prefix.empty()) return Error{"-j and --journal do not go with a prefix; drop one of the two"};
  if (request.strategy.algorithm == explore::Algorithm::kTrust && request.native.isolation == "process")
    return Error{"trust with -j does not go with --isolation=process; drop one of the two"};
  if (request.journal && !request.properties.statements.empty())
    return Error{"--journal does not keep in which states properties were looked for; drop it, or the property"};
  return std::nullopt;
}

// What a replay has to know besides the steps.
std::vector<std::string> settings_of(const RunRequest& request) {
  std::vector<std::string> settings = {"races=" + request.native.races, "instrument=" + request.native.instrument};
  if (!request.native.test.empty()) settings.push_back("test=" + request.native.test);
  if (request.max_steps) settings.push_back("max-steps=" + std::to_string(*request.max_steps));
  for (const trace::FailureKind kind : request.native.ignored)
    settings.push_back(std::string("ignore=") + trace::name_of(kind));
  if (explores_graphs(request.strategy))
    settings.push_back(std::string("memory=") +
                       trace::name_of(request.strategy.memory.value_or(trace::MemoryModel::kSc)));
  if (request.spurious > 0) settings.push_back("spurious=" + std::to_string(request.spurious));
  if (request.native.symbolic) settings.push_back("symbolic=on");
  if (request.native.coverage || request.inputs.coverage) settings.push_back("coverage=on");  // another executable
  if (!request.inputs.explore) settings.push_back("inputs=random:" + std::to_string(request.inputs.seed));
  const InputRequest& in = request.inputs;
  if (in.arguments > 0) settings.push_back(fmt::format("symbolic-args={}:{}", in.arguments, in.argument_length));
  for (const auto& [name, length] : in.variables) settings.push_back(fmt::format("symbolic-env={}:{}", name, length));
  if (in.standard_input > 0) settings.push_back(fmt::format("symbolic-stdin={}", in.standard_input));
  if (in.symbolic_reads > 0) settings.push_back(fmt::format("symbolic-reads={}", in.symbolic_reads));
  if (request.inputs.overflow) settings.push_back("check=overflow");
  if (!request.inputs.division) settings.push_back("no-check=div");
  if (!request.inputs.bounds) settings.push_back("no-check=bounds");
  append_settings(request.properties, settings);
  for (const std::string& flag : request.native.flags) settings.push_back("flag=" + flag);
  for (const std::string& argument : request.native.arguments) settings.push_back("argument=" + argument);
  return settings;
}

Complaint take_symbolic(std::string_view name, const std::string& value, InputRequest& inputs) {
  if (name == "symbolic-args") return take_symbolic_arguments(value, inputs);
  if (name == "symbolic-env") return take_symbolic_variable(value, inputs);
  if (name == "symbolic-stdin") return take_symbolic_stdin(value, inputs);
  if (name == "symbolic-reads") return take_symbolic_reads(value, inputs);
  return "is unknown";
}

}  // namespace

Result<RunRequest> request_of(const trace::SavedSchedule& saved) {
  RunRequest request;
  request.program = saved.program;
  request.defines = saved.defines;
  request.strategy.seed = saved.input_seed;
  request.native.learnt_about = saved.identity;
  request.spurious = 0;  // unless the schedule says otherwise: there was a time without
  for (const std::string& setting : saved.settings) {
    const auto equals = setting.find('=');
    const std::string name = setting.substr(0, equals);
    const std::string value = equals == setting.npos ? std::string() : setting.substr(equals + 1);
    if (name == "races")
      request.native.races = value;
    else if (name == "instrument")
      request.native.instrument = value;
    else if (name == "test")
      request.native.test = value;
    else if (name == "memory") {
      request.strategy.algorithm = explore::Algorithm::kTrust;
      request.strategy.memory = trace::memory_model_named(value);
    } else if (name == "max-steps")
      request.max_steps = static_cast<std::uint32_t>(std::strtoul(value.c_str(), nullptr, 10));
    else if (const auto kind = trace::failure_named(value);
             name == "ignore" && kind && trace::is_matter_of_taste(*kind))
      request.native.ignored.push_back(*kind);
    else if (name == "spurious")
      request.spurious = static_cast<std::uint32_t>(std::strtoul(value.c_str(), nullptr, 10));
    else if (name == "symbolic")
      request.native.symbolic = value == "on";
    else if (name == "coverage")
      request.native.coverage = value == "on";
    else if (name.starts_with("symbolic-")) {
      if (const Complaint c = take_symbolic(name, value, request.inputs); !c.empty())
        return Error{"the schedule has the setting \"" + setting + "\": " + c +
                     "; save it again with `heddle run ... --save=FILE`"};
    } else if (setting == "check=overflow")
      request.inputs.overflow = true;
    else if (setting == "no-check=div")
      request.inputs.division = false;
    else if (setting == "no-check=bounds")
      request.inputs.bounds = false;
    else if (setting.starts_with("inputs=random:")) {
      request.inputs.explore = false;
      request.inputs.seed = std::strtoull(value.c_str() + sizeof "random", nullptr, 10);
    } else if (name == "flag")
      request.native.flags.push_back(value);
    else if (name == "argument")
      request.native.arguments.push_back(value);
    else if (take_setting(setting, request.properties))
      continue;
    else if (is_about_learnt(name))
      request.native.learnt.push_back(setting);
    else
      return Error{"the schedule has the setting \"" + setting +
                   "\", which this version of heddle does not know; save it " +
                   "again with `heddle run ... --save=FILE`"};
  }
  return request;
}

namespace {

// What schedules of the run rely on.
void add_learnt(const supervisor::NativeRun& run, trace::SavedSchedule& origin) {
  origin.identity = run.identity;
  std::erase_if(origin.settings, [](const std::string& s) { return is_about_learnt(s.substr(0, s.find('='))); });
  for (const protocol::Learnt& learnt : run.learnt) origin.settings.push_back(learnt_setting(learnt));
}

ExploredProgram explored(supervisor::NativeRun run, trace::SavedSchedule origin) {
  add_learnt(run, origin);
  ExploredProgram out{std::move(run.result), std::move(run.describer), std::move(origin), std::move(run.note),
                      std::move(run.output)};
  out.alone = run.alone;
  out.skipped = run.skipped;
  return out;
}

// One file per explored path. The describer knows the inputs' names only when the search is over.
std::optional<Error> write_tests(const std::string& folder, const supervisor::NativeRun& run,
                                 const trace::SavedSchedule& origin) {
  auto files = TestFiles::in(folder, origin, *run.describer);
  if (!files) return files.error();
  for (const protocol::ExploredPath& path : run.paths) {
    trace::Execution execution;
    for (const trace::Decision& d : path.steps) {
      trace::Step step;
      step.thread = d.thread;
      step.choice = d.choice;
      execution.steps.push_back(step);
    }
    execution.named_inputs = path.inputs;
    if (path.failure) execution.failures.push_back({*path.failure, 0, kNoThread, 0, {}});
    files->add(execution);
  }
  return std::nullopt;
}

}  // namespace

Result<ExploredProgram> explore_native(const RunRequest& request, const Observer& observer) {
  const bool several = request.jobs > 1 || request.journal || request.serve;
  if (several)
    if (auto error = not_for_several(request)) return *error;
  auto options = native_options(request);
  if (!options) return options.error();
  if (several) {
    std::string settings;
    for (const std::string& setting : settings_of(request)) settings += ", " + setting;
    if (request.inputs.explore && request.inputs.branches == "random")
      settings += ", branches=random:" + std::to_string(request.inputs.branch_seed);
    options->together = supervisor::Together{request.jobs, request.journal, settings, {}, {}};
    options->any_memory = options->any_memory && !request.journal && !request.serve;
  }
  Served served;
  if (request.serve) {
    auto opened = serve(request);
    if (!opened) return opened.error();
    served = std::move(*opened);
    std::fprintf(stderr, "heddle: %s\n", served.note.c_str());
    options->together->serve = served.access;
    options->together->build = build_name();
  }
  options->observer = observer;
  auto run = supervisor::run_native(*options);
  if (!run) return run.error();
  RunRequest explored_as = request;
  explored_as.strategy = run->strategy;
  trace::SavedSchedule origin;
  origin.program = request.program;
  origin.defines = request.defines;
  origin.input_seed = request.strategy.seed;
  origin.settings = settings_of(explored_as);
  add_learnt(*run, origin);
  if (request.inputs.coverage)
    if (auto error = write_coverage(*request.inputs.coverage, run->coverage)) return *error;
  if (request.inputs.tests)
    if (auto error = write_tests(*request.inputs.tests, *run, origin)) return *error;
  answer(run->properties, run->result);
  std::string statistics;
  if (request.stats) {
    statistics = run->inputs.explored ? solver_table(run->inputs.questions) : "solver: not needed\n";
    statistics += "known steps: " + std::to_string(run->followed) + " of " + std::to_string(run->result.executions) +
                  " executions were followed, not run\n";
  }
  ExploredProgram out = explored(std::move(*run), std::move(origin));
  out.statistics = std::move(statistics);
  return out;
}

Result<std::vector<std::string>> tests_of(const RunRequest& request) {
  auto kind = kind_of(request.program);
  if (!kind) return kind.error();
  if (*kind == ProgramKind::kModel) return std::vector<std::string>();
  auto options = native_options(request);
  if (!options) return options.error();
  return supervisor::tests_of(*options);
}

Result<ExploredProgram> replay_native(const trace::SavedSchedule& saved) {
  auto request = request_of(saved);
  if (!request) return request.error();
  auto options = native_options(*request);
  if (!options) return options.error();
  options->worker.replay = saved.steps;
  if (options->worker.inputs.mode == protocol::InputMode::kExplore && !saved.inputs.empty()) {
    options->worker.inputs.mode = protocol::InputMode::kGiven;
    for (const auto& [name, value] : saved.inputs) options->worker.inputs.given.push_back({name, value});
  }
  auto run = supervisor::replay_native(*options);
  if (!run) return run.error();
  ExploredProgram replayed = explored(std::move(*run), saved);
  judge_replay(saved, replayed);
  return replayed;
}

Result<int> debug_native(const trace::SavedSchedule& saved, const ExploredProgram& replayed) {
  auto request = request_of(saved);
  if (!request) return request.error();
  auto options = native_options(*request);
  if (!options) return options.error();
  options->worker.replay = saved.steps;
  supervisor::DebugMaterial material;
  material.report = report::json_report(replayed.result, *replayed.describer, replayed.origin);
  const std::size_t threads = replayed.result.findings.empty() ? 0 : replayed.result.findings.front().execution.threads;
  for (std::size_t t = 0; t < threads; ++t)
    material.threads.push_back(replayed.describer->thread_name(ThreadId(static_cast<std::uint16_t>(t))));
  return supervisor::debug_native(*options, material);
}

}  // namespace heddle::cli
