// A worker that is killed from outside is started again: exploration is deterministic, so the second attempt goes the
// same way and nothing is lost but time. One that ends by itself would do so again: we pass on what it says about it,
// and what it had found. An error of the runtime's own leaves the question open; it is no fault of whoever asked.
#include "native/supervisor/supervisor.h"

#include <cstdio>
#include <filesystem>
#include <sstream>

#include "native/supervisor/build.h"
#include "native/supervisor/coverage.h"
#include "native/supervisor/data_notes.h"
#include "native/supervisor/describer.h"
#include "native/supervisor/executable.h"
#include "native/supervisor/explanation.h"
#include "native/supervisor/grouping.h"
#include "native/supervisor/memory_choice.h"
#include "native/supervisor/property_names.h"
#include "native/supervisor/relaxing.h"
#include "native/supervisor/tests.h"
#include "native/supervisor/together.h"

namespace heddle::supervisor {

using protocol::SuppressedRace;
using protocol::WorkerOptions;
using protocol::WorkerResult;
namespace {

constexpr int kAttempts = 4;

}  // namespace

Result<Prepared> prepare(const NativeOptions& options) {
  Prepared prepared{options.program};
  if (is_source(options.program)) {
    auto built =
        build({options.program, options.flags, options.instrument, options.symbolic, options.coverage, options.quiet});
    if (!built) return built.error();
    prepared.executable = *built;
  } else {
    if (!options.flags.empty())
      return Error{"\"" + options.program + "\" is an executable, so there is nothing to compile with " +
                   options.flags.front() + "; give compiler flags when building it"};
    prepared.executable = std::filesystem::absolute(options.program).string();
  }
  auto inspected = inspect_executable(prepared.executable);
  if (!inspected) return inspected.error();
  prepared.identity = inspected->identity;
  prepared.framework = inspected->framework;
  prepared.has_tests = inspected->has_tests;
  auto properties = bind_properties(prepared.executable, is_source(options.program) ? options.program : std::string(),
                                    options.properties);
  if (!properties) return properties.error();
  prepared.properties = std::move(*properties);
  return prepared;
}

WorkerOptions worker_options(const NativeOptions& options, const Prepared& prepared) {
  WorkerOptions worker = options.worker;
  worker.properties = prepared.properties;
  worker.properties.by_formula = options.worker.properties.by_formula;
  if (options.learnt_about && *options.learnt_about != prepared.identity) worker.learnt.clear();
  worker.arguments = {options.program};
  worker.arguments.insert(worker.arguments.end(), options.arguments.begin(), options.arguments.end());
  if (prepared.framework != TestFramework::kNone && !worker.test.empty()) {
    const std::vector<std::string> more = arguments_for(prepared.framework, worker.test);
    worker.arguments.insert(worker.arguments.end(), more.begin(), more.end());
    worker.test.clear();
    // That of a test framework says whether the test failed.
    if (prepared.framework != TestFramework::kGoogleTest) std::erase(worker.ignored, trace::FailureKind::kExitCode);
  }
  return worker;
}

namespace {

// What was counted before the end came.
explore::ExploreResult counted(const explore::Progress& progress, const std::string& reason,
                               const WorkerOptions& worker) {
  explore::ExploreResult result;
  result.algorithm = name_of(worker.strategy.algorithm);
  result.executions = progress.executions;
  result.classes = progress.classes;
  result.steps = progress.steps;
  result.seconds = progress.seconds;
  if (progress.estimate.total > 0) result.estimate = at_least(progress.estimate, progress.executions);
  result.gaps = {{explore::Cause::kWorkerEnded, reason}};
  return result;
}

// The first failing execution once more, for what the program printed in it.
// What the program prints along a schedule.
std::string output_along(const std::string& executable, WorkerOptions options) {
  options.explain = false;
  auto again = run_worker({executable, std::move(options), {}, /*capture_output=*/true});
  return again ? again->output : std::string();
}

std::string failing_output(const std::string& executable, WorkerOptions options, const explore::Finding& finding,
                           const std::vector<protocol::Learnt>& learnt, const trace::Describer& describer) {
  options.learnt = learnt;
  options.replay = finding.schedule;
  if (options.inputs.mode == protocol::InputMode::kExplore) {
    options.inputs.mode = protocol::InputMode::kGiven;
    for (const trace::InputValue& input : finding.execution.named_inputs)
      options.inputs.given.push_back({describer.input_name(input), input.value});
  }
  // That it computes without end is known.
  if (finding.failure.kind == trace::FailureKind::kLivelock) options.max_local_seconds = 1;
  return output_along(executable, std::move(options));
}

// Why a worker gave up: the runtime says so on standard error, in a line of its own, before it ends the process. An
// invariant that does not hold says so first, and with it goes the schedule that shows it, which is handed on.
Error own_words(const std::string& executable, const WorkerOptions& options, const Killed& killed) {
  auto again = run_worker({executable, options, {}, /*capture_output=*/true});
  constexpr std::string_view kMark = "heddle: ", kInvariant = "heddle: internal error: ";
  std::string said;
  if (again) {
    const std::string& output = again->output;
    const std::size_t at = output.starts_with(kInvariant) ? 0 : output.find("\n" + std::string(kInvariant));
    const bool invariant = at != output.npos;
    std::istringstream lines(invariant ? output.substr(output.find(kInvariant, at)) : output);
    for (std::string line; std::getline(lines, line);)
      if (line.starts_with(kMark) && (said.empty() || !invariant)) said = line.substr(kMark.size());
    if (invariant) std::fputs(lines.str().c_str(), stderr);
  }
  return Error{said.empty() ? "the worker ended with " + killed.cause + "; try --isolation=process" : said};
}

void append_note(std::string& notes, const std::string& note) {
  if (note.empty()) return;
  notes += (notes.empty() ? "" : "; ") + note;
}

// A search that left something about inputs open has not been through everything.
void admit_open_inputs(WorkerResult& worker, const trace::Describer& describer) {
  explore::ExploreResult& result = worker.result;
  for (const protocol::LeftOpen& open : worker.inputs.left_open) {
    const std::string place = describer.position(open.where);
    result.gaps.push_back({explore::Cause::kInputsOpen, (place.empty() ? "" : place + ": ") + open.what});
  }
}

// Those that matter to what came out: weaker orders and failures for no reason inside the standard library are its own
// affair unless it tells the program of them, and what was not found is no matter where a bug ended the search. That
// attempts have reasons is for POSIX to say, which does, and for C++, which does not.
void keep_relevant_assumptions(NativeRun& run, const NativeDescriber& describer) {
  explore::ExploreResult& result = run.result;
  std::erase_if(result.assumptions, [&](trace::Assumption& assumption) {
    if (assumption.places.empty()) return false;  // it is about whole files
    // Plain accesses of its templates are the program's.
    const bool plain = assumption.text.find("plain accesses") != std::string::npos;
    const bool its_own = (assumption.kind == trace::AssumptionKind::kSequentialConsistency && !plain) ||
                         assumption.text == protocol::kTriedAgainAlways;
    if (its_own)
      std::erase_if(assumption.places, [&](std::uint32_t where) {
        return describer.inside_standard_library(where) && !describer.library_tells_of(where);
      });
    if (assumption.text == protocol::kAttemptsHaveReasons)
      std::erase_if(assumption.places, [&](std::uint32_t where) { return !describer.library_tells_of(where); });
    if (assumption.places.empty()) return true;
    if (assumption.kind != trace::AssumptionKind::kSequentialConsistency || plain) return false;
    run.weaker_orders = true;
    run.own_orders |= assumption.text != protocol::kOfFailedAttempts &&
                      std::ranges::any_of(assumption.places, [&](std::uint32_t where) {
                        return !describer.inside_standard_library(where);
                      });
    return false;
  });
  if (result.verdict() == explore::Verdict::kBug && !result.exhausted())
    std::erase_if(result.assumptions, [](const trace::Assumption& a) { return trace::is_about_absence(a.kind); });
}

std::string step_text(const std::optional<trace::Step>& step, const trace::Describer& describer) {
  if (!step) return "nothing";
  std::string text = describer.thread_name(step->thread) + ": " + trace::name_of(step->op.kind);
  if (step->op.object != kNoObject) text += " " + describer.object_name(step->op.object);
  const std::string place = describer.position(step->where);
  return "\"" + text + (place.empty() ? "" : " at " + place) + "\"";
}

// Where two runs of a program that is not deterministic parted.
void say_where_parted(WorkerResult& worker, const trace::Describer& describer) {
  const auto& parted = worker.result.parted;
  if (!parted || (!parted->once && !parted->again)) return;
  worker.result.gaps.push_back(
      {explore::Cause::kParted, "step " + std::to_string(parted->step) + " was " +
                                    (parted->once ? step_text(parted->once, describer) : "another") +
                                    " in one run and " + step_text(parted->again, describer) + " in the next"});
}

constexpr const char* kPleaseReport =
    "; this is a fault of Heddle's: please report it with the program, the command and this line";

NativeRun without_result(NativeRun run, const explore::Progress& last, const std::string& reason,
                         const WorkerOptions& worker) {
  run.result = counted(last, reason, worker);
  run.describer = std::make_unique<NativeDescriber>(WorkerResult{});
  return run;
}

bool can_be_relaxed(const explore::ExploreResult& result) {
  return result.findings.empty() && result.verdict() == explore::Verdict::kNoBug && result.exhausted();
}

// Another worker tries weaker orders in what is left of the time. `worker`: the options of the first one.
std::optional<Error> try_weaker_orders(const WorkerResult& first, WorkerOptions worker, const NativeOptions& options,
                                       const Prepared& prepared, NativeRun& run) {
  const NativeDescriber describer(first);
  const std::vector<OrderGroup> groups = order_groups(first, describer);
  explore::Relaxation& relaxation = run.result.relaxation.emplace();
  if (groups.empty()) return std::nullopt;
  worker.note_orders = false;
  worker.learnt = run.learnt;
  worker.relax.emplace();
  for (const OrderGroup& group : groups) worker.relax->push_back(group.pcs);
  if (worker.max_seconds) worker.max_seconds = std::max(0.0, *worker.max_seconds - run.result.seconds);
  auto done = run_worker({prepared.executable, std::move(worker), options.observer, false});
  if (!done) return done.error();
  if (const auto* second = std::get_if<WorkerResult>(&done->end))
    relaxation = in_terms_of(groups, *second);
  else
    relaxation.open = "the worker that tried them came to no end";
  return std::nullopt;
}

// "exhausted" is true of a test that has nothing to explore, and yet says little.
void say_what_was_not_tested(NativeRun& run, const Prepared& prepared, WorkerOptions worker) {
  if (prepared.framework == TestFramework::kGoogleTest) {
    worker.learnt = run.learnt;
    worker.replay.emplace();
    run.skipped = says_it_is_skipped(output_along(prepared.executable, std::move(worker)));
  }
  append_note(run.note,
              run.skipped ? "the test skips itself" : "no second thread was started: there is one interleaving");
}

NativeRun with_result(NativeRun run, WorkerResult result, const Prepared& prepared, const WorkerOptions& worker) {
  append_note(run.note, result.note);
  run.followed = result.followed;
  run.alone = result.threads.size() == 1 && result.result.exhausted() && result.result.executions == 1;
  run.learnt = std::move(result.learnt);
  auto describer = std::make_unique<NativeDescriber>(result);
  note_data(result, *describer);
  group_findings(result, *describer);
  explain_findings(result, *describer);
  admit_open_inputs(result, *describer);
  result.result.name_places(*describer);
  say_where_parted(result, *describer);
  run.result = std::move(result.result);
  keep_relevant_assumptions(run, *describer);
  run.inputs = std::move(result.inputs);
  run.coverage = coverage_of(result.coverage);
  name_failed_expectations(prepared.framework, run.result);
  run.describer = std::move(describer);
  if (!run.result.findings.empty())
    run.output = failing_output(prepared.executable, worker, run.result.findings.front(), run.learnt, *run.describer);
  else if (run.alone)
    say_what_was_not_tested(run, prepared, worker);
  return run;
}

// The worker will not come to a result.
Result<NativeRun> give_up(NativeRun run, Killed killed, const std::string& why, const Prepared& prepared,
                          const WorkerOptions& worker) {
  const std::string reason = why + (killed.crashed ? kPleaseReport : "");
  if (killed.found) {
    killed.found->result.gaps = {{explore::Cause::kWorkerEnded, reason}};
    return with_result(std::move(run), std::move(*killed.found), prepared, worker);
  }
  if (killed.crashed) return without_result(std::move(run), killed.last, reason, worker);
  return Error{reason};
}

// Races in the result that are to be left out.
std::vector<SuppressedRace> left_out(const NativeOptions& options, const WorkerResult& result) {
  if (result.details.empty()) return {};
  std::vector<Suppression> suppressions = faults_of_the_library();
  suppressions.insert(suppressions.end(), options.suppressions.begin(), options.suppressions.end());
  return suppressed_races(suppressions, result, NativeDescriber(result));
}

// `known`: races that are to be left out are added to it. If any were found that were not there yet, the search is to
// be made again.
Result<NativeRun> explore_with_restarts(const NativeOptions& options, const Prepared& prepared,
                                        std::vector<SuppressedRace>& known) {
  NativeRun run;
  run.identity = prepared.identity;
  run.properties = prepared.properties.statements;
  WorkerOptions worker = worker_options(options, prepared);
  worker.suppressed = known;
  run.strategy = worker.strategy;
  worker.note_orders = options.relax;
  Killed last;
  for (int attempt = 1; attempt <= kAttempts; ++attempt) {
    run.paths.clear();
    auto done = run_worker({prepared.executable, worker, options.observer, false,
                            [&](const protocol::ExploredPath& path) { run.paths.push_back(path); }});
    if (!done) return done.error();
    if (auto* killed = std::get_if<Killed>(&done->end)) {
      if (killed->by_itself) {
        const std::string why = own_words(prepared.executable, worker, *killed).message;
        return give_up(std::move(run), std::move(*killed), why, prepared, worker);
      }
      append_note(run.note, "the worker ended by " + killed->cause + " and was started again");
      last = std::move(*killed);
      continue;
    }
    if (auto* stopped = std::get_if<EndedByUs>(&done->end))
      return without_result(std::move(run), stopped->last, stopped->cause, worker);
    auto* result = std::get_if<WorkerResult>(&done->end);
    if (result == nullptr) return Error{"the worker answered with a list of tests; build the program again"};
    const std::vector<SuppressedRace> more = left_out(options, *result);
    known.insert(known.end(), more.begin(), more.end());
    if (!more.empty()) return run;
    if (!options.relax) return with_result(std::move(run), std::move(*result), prepared, worker);
    const WorkerResult noted = *result;
    run = with_result(std::move(run), std::move(*result), prepared, worker);
    if (can_be_relaxed(run.result))
      if (auto error = try_weaker_orders(noted, worker, options, prepared, run)) return *error;
    return run;
  }
  const std::string why = "the worker ended " + std::to_string(kAttempts) + " times without a result, last by " +
                          last.cause + "; try --isolation=process";
  return give_up(std::move(run), std::move(last), why, prepared, worker);
}

constexpr const char* kIsolated =
    "the program did not repeat itself when rewound: every execution runs in a process of its own";

// A worker that explains what several explorers have found, which goes as for one that has found it itself.
Result<WorkerRun> conclude(const NativeOptions& options, const Prepared& prepared, const WorkerOptions& worker,
                           protocol::Knowledge known, explore::ExploreResult result) {
  WorkerOptions last = worker;
  last.suppressed = known.suppressed;
  if (known.isolate) last.isolation = protocol::Isolation::kProcess;
  if (known.run_all) last.known_steps = false;
  last.max_seconds.reset();
  result.assumptions.insert(result.assumptions.end(), known.assumptions.begin(), known.assumptions.end());
  // Who has interrupted the search wants to see what it came to.
  const bool interrupted = result.has_gap(explore::Cause::kInterrupted);
  last.conclude = protocol::Conclusion{std::move(result), std::move(known.numbers), std::move(known.lessons),
                                       known.inputs_drawn, known.inputs_read};
  const Observer observer = interrupted ? Observer() : options.observer;
  for (int attempt = 1;; ++attempt) {
    auto done = run_worker({prepared.executable, last, observer, false, {}, options.together->serve.has_value()});
    const bool again = done && attempt < kAttempts && std::holds_alternative<Killed>(done->end) &&
                       !std::get<Killed>(done->end).by_itself;
    if (!again) return done;
  }
}

Result<NativeRun> explore_together(const NativeOptions& options, const Prepared& prepared) {
  auto search = TogetherSearch::begin(options, prepared);
  if (!search) return search.error();
  WorkerOptions worker = worker_options(options, prepared);
  worker.note_orders = options.relax;
  while (true) {
    NativeRun run;
    run.identity = prepared.identity;
    run.properties = prepared.properties.statements;
    run.strategy = worker.strategy;
    auto found = (*search)->run(worker, options.observer);
    if (!found) return found.error();
    const explore::ExploreResult counts = *found;
    const protocol::Knowledge known = (*search)->knowledge();
    auto done = conclude(options, prepared, worker, known, std::move(*found));
    if (!done) return done.error();
    append_note(run.note, (*search)->note());
    if (known.isolate) append_note(run.note, kIsolated);
    WorkerOptions alone = worker;
    alone.suppressed = known.suppressed;
    if (auto* killed = std::get_if<Killed>(&done->end)) {
      const std::string why = "the worker ended by " + killed->cause;
      return give_up(std::move(run), std::move(*killed), why, prepared, alone);
    }
    if (auto* stopped = std::get_if<EndedByUs>(&done->end)) {
      NativeRun open = without_result(std::move(run), stopped->last, stopped->cause, alone);
      open.result.executions = counts.executions;
      open.result.classes = counts.classes;
      return open;
    }
    auto* result = std::get_if<WorkerResult>(&done->end);
    if (result == nullptr) return Error{"the worker answered with a list of tests; build the program again"};
    const std::vector<SuppressedRace> more = left_out(options, *result);
    if (result->stale || !more.empty()) {
      (*search)->begin_anew(more, result->lessons);
      continue;
    }
    result->followed = (*search)->followed();
    run = with_result(std::move(run), std::move(*result), prepared, alone);
    return run;
  }
}

}  // namespace

bool is_source(const std::string& program) {
  const std::string extension = std::filesystem::path(program).extension().string();
  for (const char* source : {".c", ".cc", ".cpp", ".cxx"})
    if (extension == source) return true;
  return false;
}

Result<NativeRun> run_native(const NativeOptions& options) {
  auto prepared = prepare(options);
  if (!prepared) return prepared.error();
  std::vector<SuppressedRace> known;
  const auto explore = [&](const NativeOptions& how) -> Result<NativeRun> {
    if (how.together && how.worker.strategy.algorithm != explore::Algorithm::kTrust)
      return explore_together(how, *prepared);
    for (;;) {
      const std::size_t before = known.size();
      auto run = explore_with_restarts(how, *prepared, known);
      if (!run || known.size() == before) return run;
    }
  };
  return options.any_memory ? explore_as_orders_ask(options, explore) : explore(options);
}

Result<NativeRun> replay_native(const NativeOptions& options) {
  REQUIRE(options.worker.replay.has_value());
  auto prepared = prepare(options);
  if (!prepared) return prepared.error();
  auto done = run_worker({prepared->executable, worker_options(options, *prepared), {}, /*capture_output=*/true});
  if (!done) return done.error();
  auto* result = std::get_if<WorkerResult>(&done->end);
  if (result == nullptr) return Error{"the worker was killed during the replay; try again"};
  NativeRun run;
  run.identity = prepared->identity;
  run.note = result->note;
  run.learnt = std::move(result->learnt);
  run.output = std::move(done->output);
  auto describer = std::make_unique<NativeDescriber>(*result);
  note_data(*result, *describer);
  explain_findings(*result, *describer);
  result->result.assumptions.clear();  // one execution is no proof of anything
  run.result = std::move(result->result);
  name_failed_expectations(prepared->framework, run.result);
  run.describer = std::move(describer);
  return run;
}

Result<std::vector<std::string>> list_tests(const NativeOptions& options) {
  auto prepared = prepare(options);
  if (!prepared) return prepared.error();
  WorkerOptions worker = worker_options(options, *prepared);
  worker.list_tests = true;
  auto done = run_worker({prepared->executable, worker, {}, false});
  if (!done) return done.error();
  auto* tests = std::get_if<std::vector<std::string>>(&done->end);
  if (tests == nullptr) return Error{"the worker did not list its tests; build the program again"};
  return *tests;
}

}  // namespace heddle::supervisor
