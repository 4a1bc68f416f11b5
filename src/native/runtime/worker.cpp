// What a worker does with the options it is sent: replay, explore, explain, tell; longer than most: searches begin
// anew, run beside each other and in several processes, and each of these ways ends in the same telling.
#include "native/runtime/worker.h"

#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <unistd.h>

#include "check/self_check.h"
#include "dist/item_explorer.h"
#include "explore/explain.h"
#include "native/protocol/codec.h"
#include "native/runtime/assumptions.h"
#include "native/runtime/beside.h"
#include "native/runtime/coverage.h"
#include "native/runtime/debugging.h"
#include "native/runtime/engine_memory.h"
#include "native/runtime/failure.h"
#include "native/runtime/finding_data.h"
#include "native/runtime/heap.h"
#include "native/runtime/inputs.h"
#include "native/runtime/isolation.h"
#include "native/runtime/item_worker.h"
#include "native/runtime/known_steps.h"
#include "native/runtime/learnt.h"
#include "native/runtime/processes.h"
#include "native/runtime/program_interface.h"
#include "native/runtime/properties.h"
#include "native/runtime/race_detector.h"
#include "native/runtime/random_numbers.h"
#include "native/runtime/raw.h"
#include "native/runtime/relaxing.h"
#include "native/runtime/remote_solver.h"
#include "native/runtime/requests.h"
#include "native/runtime/scheduler.h"
#include "native/runtime/shadow.h"
#include "native/runtime/signals.h"
#include "native/runtime/standby.h"
#include "native/runtime/unmodelled.h"
#include "strategies/auto_search.h"

// Whether the executable has code compiled with tracking of inputs, and code without (native/pass/symbolic.cpp).
extern "C" __attribute__((weak)) const std::uint8_t heddle_sym_tracked_code;
extern "C" __attribute__((weak)) const std::uint8_t heddle_sym_untracked_code;

namespace heddle::runtime {

using protocol::encode;
using protocol::FailureDetail;
using protocol::WorkerOptions;
using protocol::WorkerResult;
namespace {

using trace::Execution;

int result_fd = -1;
constexpr const char* kTookOver = "the worker was killed, and another went on from where it was a moment before";

void send(const protocol::Bytes& frame) {
  if (!raw::write_all(result_fd, frame.data(), frame.size())) raw::exit(3);  // the supervisor has gone
}

[[noreturn]] void refuse(const std::string& sentence) {
  standby.dismiss();
  send(protocol::encode_error(sentence));
  raw::exit(3);
}

WorkerOptions read_options(int fd) {
  protocol::FrameReader reader;
  for (;;) {
    auto next = reader.next();
    if (!next) refuse(next.error().message);
    if (next->complete) {
      auto options = protocol::decode_options(next->frame.payload);
      if (!options) refuse(options.error().message);
      return std::move(*options);
    }
    std::uint8_t buffer[4096];
    const long n = raw::syscall(SYS_read, fd, reinterpret_cast<long>(buffer), sizeof buffer);
    if (n <= 0) refuse("the worker's options ended early; start it through heddle");
    reader.append({buffer, static_cast<std::size_t>(n)});
  }
}

int add_module(dl_phdr_info* info, std::size_t, void* argument) {
  auto& modules = *static_cast<std::vector<protocol::Module>*>(argument);
  protocol::Module module{info->dlpi_name, info->dlpi_addr, ~0ull, 0};
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info->dlpi_phdr[i];
    if (header.p_type != PT_LOAD || !(header.p_flags & PF_X)) continue;
    const std::uint64_t begin = info->dlpi_addr + header.p_vaddr;
    module.begin = std::min<std::uint64_t>(module.begin, begin);
    module.end = std::max<std::uint64_t>(module.end, begin + header.p_memsz);
  }
  if (modules.empty()) {
    char path[4096];
    const ssize_t n = readlink("/proc/self/exe", path, sizeof path);
    module.path.assign(path, n > 0 ? static_cast<std::size_t>(n) : 0);
  }
  if (module.begin < module.end) modules.push_back(std::move(module));
  return 0;
}

void fill_tables(WorkerResult& out) {
  for (std::size_t t = 0; t < rt.known_threads; ++t) {
    const SpawnPlace& place = spawn_place(ThreadId(static_cast<std::uint16_t>(t)));
    out.threads.push_back(
        {t == 0 ? "main" : place.name, place.where, t == 0 ? kNoThread : place.parent, place.ordinal});
  }
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const Object& object = objects.entry(i);
    protocol::ObjectInfo info{object.address, object.size, object.kind};
    if (object.kind == protocol::ObjectKind::kRequests) info.offset = thread_of_box(object.address);
    if (Heap::contains(reinterpret_cast<void*>(object.address))) {
      if (Block* block = heap.block_of(object.address)) {
        info.on_heap = true;
        info.allocated_at = block->allocated_at;
        info.block_size = block->size;
        info.offset = object.address - reinterpret_cast<std::uintptr_t>(block->user());
      }
    }
    out.objects.push_back(info);
  }
  fill_positions(out.positions);
  dl_iterate_phdr(add_module, &out.modules);
}

bool same_failure(const trace::Failure& a, const trace::Failure& b) {
  return a.kind == b.kind && a.thread == b.thread && a.step == b.step && a.message == b.message;
}

// The one execution of a replay, as a result.
void collect_replay(const Execution& execution, WorkerResult& out) {
  explore::ExploreResult& result = out.result;
  result.algorithm = "replay";
  result.executions = 1;
  result.classes = execution.outcome == trace::Outcome::kDiverged ? 0 : 1;
  result.deadlocked = execution.outcome == trace::Outcome::kDeadlock ? 1 : 0;
  result.failed = execution.outcome == trace::Outcome::kFailed ? 1 : 0;
  result.steps = execution.steps.size();
  std::vector<trace::Decision> steps;
  for (const trace::Step& s : execution.steps) steps.push_back({s.thread, s.choice});
  for (std::size_t f = 0; f < execution.failures.size(); ++f) {
    if (f < failure_details().size()) {  // not of a property
      FailureDetail detail = failure_details()[f];
      detail.finding = static_cast<std::uint32_t>(f);
      out.details.push_back(detail);
    }
    result.findings.push_back({execution.failures[f], execution, steps, 1, {}});
  }
}

// Runs each finding's schedule again with whole call stacks, which replaces what was recorded in a hurry.
void detail_findings(trace::Program& program, WorkerResult& out) {
  const bool before = rt.detailed;
  rt.detailed = true;
  for (std::size_t i = 0; i < out.result.findings.size(); ++i) {
    explore::Finding& finding = out.result.findings[i];
    std::vector<trace::Decision> steps;
    for (const trace::Step& s : finding.execution.steps) steps.push_back({s.thread, s.choice});
    Execution again;
    inputs->use_least_for(finding.execution);
    explore::replay(program, steps, again);
    for (std::size_t f = 0; f < again.failures.size(); ++f) {
      if (!same_failure(again.failures[f], finding.failure)) continue;
      if (f < failure_details().size()) {
        FailureDetail detail = failure_details()[f];
        detail.finding = static_cast<std::uint32_t>(i);
        out.details.push_back(detail);
      }
      finding.failure = again.failures[f];
      finding.execution = again;
      break;
    }
  }
  rt.detailed = before;
}

// A race is noticed at whichever of its two accesses comes second, so an exploration of both orders finds it twice. The
// one that was found first stays.
void merge_mirrored_races(WorkerResult& out) {
  const auto mirrored = [&](const FailureDetail& a, const FailureDetail& b) {
    const trace::Failure& one = out.result.findings[a.finding].failure;
    const trace::Failure& two = out.result.findings[b.finding].failure;
    // A block's address may depend on who comes first.
    const bool same_place =
        a.block_size != 0 ? a.allocated_at == b.allocated_at && a.offset == b.offset : a.address == b.address;
    return one.kind == trace::FailureKind::kDataRace && two.kind == one.kind && same_place &&
           one.where == b.other_where && two.where == a.other_where && one.where != two.where;
  };
  for (std::size_t i = 0; i < out.details.size(); ++i)
    for (std::size_t k = i + 1; k < out.details.size(); ++k) {
      if (!mirrored(out.details[i], out.details[k])) continue;
      const std::uint32_t gone = out.details[k].finding;
      std::vector<explore::Finding>& findings = out.result.findings;
      findings[out.details[i].finding].count += findings[gone].count;
      findings.erase(findings.begin() + gone);
      out.details.erase(out.details.begin() + static_cast<std::ptrdiff_t>(k));
      for (FailureDetail& detail : out.details)
        if (detail.finding > gone) --detail.finding;
      break;  // no race has two mirror images
    }
}

// Started as any other program.
[[noreturn]] void run_once(const EntryPoint& entry) {
  if (!getenv("HEDDLE_QUIET"))
    raw::print(
        "heddle: this is one schedule of the program; `heddle run` explores them all (HEDDLE_QUIET=1: say nothing)\n");
  WorkerOptions options;
  options.races = protocol::RaceMode::kIgnore;
  options.max_steps = ~0ull;
  options.max_local_seconds = 0;
  options.spurious = 0;
  rt.output_shown = true;
  NativeProgram program(entry, options);
  rt.own_process = true;
  Execution execution;
  explore::replay(program, {}, execution);
  for (const trace::Failure& failure : execution.failures) {
    if (failure.kind == trace::FailureKind::kExitCode) continue;
    raw::print("heddle: ");
    raw::print(failure.message.c_str());
    raw::print("\n");
  }
  if (rt.exited) raw::exit(rt.exit_code);
  raw::exit(execution.failures.empty() ? 0 : 134);
}

trace::Feasibility* judge_of_inputs() { return inputs->tracking() ? inputs : nullptr; }

// Paths are kept until the search is over: one that must begin again does not count.
constinit std::vector<protocol::Bytes> explored_paths;

void keep_path(const Execution& execution) {
  const trace::Outcome o = execution.outcome;
  if (o != trace::Outcome::kComplete && o != trace::Outcome::kDeadlock && o != trace::Outcome::kFailed) return;
  protocol::ExploredPath path;
  for (const trace::Step& s : execution.steps) path.steps.push_back({s.thread, s.choice});
  path.inputs = execution.named_inputs;
  if (!execution.failures.empty()) path.failure = execution.failures.front().kind;
  explored_paths.push_back(encode(path));
}

// Heddle under suspicion; of the search at hand, for the same reason.
constinit std::unique_ptr<check::SelfCheck> self_check;

void check_from_here(explore::ExploreOptions& search) {
  self_check.reset();
  self_check = std::make_unique<check::SelfCheck>(search.strategy, check::Locks::kMadeAnew);
  search.on_execution = [before = std::move(search.on_execution)](const Execution& execution) {
    self_check->on_execution(execution);
    if (before) before(execution);
  };
}

explore::ExploreOptions explore_options(const WorkerOptions& options) {
  explore::ExploreOptions out;
  out.strategy = options.strategy;
  out.strategy.feasibility = judge_of_inputs();
  out.max_executions = options.max_executions;
  out.max_seconds = options.max_seconds;
  if (options.give_way_after)
    out.gives_way = [after = *options.give_way_after](std::uint64_t executions) {
      return executions >= after && weaker_orders_met();
    };
  out.all = options.all;
  out.keep_executions = options.keep_executions;
  out.prefix = options.prefix;
  out.probe = !options.coverage;  // only what is explored counts
  if (options.max_seconds) out.before_probes = watch_deadline;
  out.observer = [](const explore::Progress& progress) {
    send(encode(progress));
    standby.renew();
    return !rt.asked_to_stop;
  };
  explored_paths.clear();
  if (options.inputs.send_paths) out.on_execution = keep_path;
  if (options.note_orders) out.on_execution = note_orders;
  if (options.check) check_from_here(out);
  return out;
}

// `limit`: when to stop, by the clock.
std::function<bool()> until(std::optional<double> limit) {
  return [limit] { return !rt.asked_to_stop && (!limit || raw::seconds() < *limit); };
}

strategies::Setting setting_for(Watch& watch, std::optional<double> limit) {
  strategies::Setting setting;
  setting.global = watch.questions();
  setting.goes_on = until(limit);
  // A property may speak of threads that have ended.
  setting.net = {.joins_see = true, .idle_joins = watch.empty(), .orders_matter = true};
  setting.idle_joins = watch.empty();
  setting.races = rt.races_checked;
  return setting;
}

void add_note(WorkerResult& out, const std::string& text) {
  if (!text.empty()) out.note += (out.note.empty() ? "" : "; ") + text;
}

void fall_back(NativeProgram& program, WorkerResult& out, const std::string& reason) {
  program.isolate();
  out.note = reason + ": every execution runs in a process of its own";
}

// The same schedule must lead to the same steps, or nothing found could be relied on. Where it does not even in
// processes of their own, the search goes on as far as it gets, and the result says so.
std::optional<explore::Parting> check_determinism(NativeProgram& program, WorkerResult& out) {
  const auto in_process = program.first_difference();
  if (!in_process || program.isolated()) return in_process;
  fall_back(
      program, out,
      "the program cannot be rewound, step " + std::to_string(in_process->step) + " of the first schedule differs");
  // Whether rewinding is to blame, or chance: a few more looks.
  constexpr int kLooks = 4;
  for (int look = 0; look < kLooks; ++look)
    if (const auto isolated = program.first_difference()) return isolated;
  return std::nullopt;
}

// A program that does not repeat itself: nothing is known of what was not seen.
void admit_parting(const explore::Parting& parting, explore::ExploreResult& result) {
  if (result.parted) return;  // the search has met it
  result.parted = parting;
  result.gaps = {{explore::Cause::kNotDeterministic,
                  "step " + std::to_string(parting.step) + " of the first schedule differs when it is run again"}};
}

bool late(const WorkerOptions& options, double start) {
  return options.max_seconds && raw::seconds() - start >= *options.max_seconds;
}

// Of this process, and those that explorers have noted elsewhere.
void add_assumptions(const std::vector<trace::Assumption>& more, std::vector<trace::Assumption>& all) {
  for (const trace::Assumption& one : more) {
    const auto known =
        std::ranges::find_if(all, [&](const auto& a) { return a.kind == one.kind && a.text == one.text; });
    if (known == all.end()) {
      all.push_back(one);
      continue;
    }
    for (const std::uint32_t where : one.places)
      if (std::ranges::find(known->places, where) == known->places.end()) known->places.push_back(where);
  }
}

// Everything that a reader of the findings needs.
void complete(WorkerResult& out) {
  if (standby.took_over()) add_note(out, kTookOver);
  if (rt.cannot_be_undone)
    add_note(out, "the program calls " + std::string(rt.cannot_be_undone) +
                      ", which cannot be undone: every execution runs in a process of its own");
  out.learnt = learnt_so_far();
  std::vector<trace::Assumption> assumptions = assumptions_so_far();
  add_assumptions(out.result.assumptions, assumptions);
  out.result.assumptions = std::move(assumptions);
  out.inputs = inputs->report();
  if (out.inputs.explored && &heddle_sym_untracked_code != nullptr)
    out.inputs.left_open.push_back({0,
                                    "part of the program is compiled without tracking of inputs; build all of it "
                                    "with --heddle-symbolic=on"});
  add_unmodelled(out.inputs.left_open);
  fill_tables(out);
}

// Findings are told as they are met, in case the worker does not live to tell the result. A supervisor that gets one
// keeps the last such message.
constexpr std::size_t kMostToldAtOnce = 32;

void tell_findings(const std::vector<explore::Finding>& findings, const WorkerOptions& options) {
  if (findings.size() > kMostToldAtOnce) return;
  WorkerResult found;
  found.result.algorithm = name_of(options.strategy.algorithm);
  found.result.findings = findings;
  complete(found);
  send(encode(found, protocol::MessageType::kFound));
}

// What a search has to know besides what was asked for.
struct Circumstances {
  double start;                    // seconds: the time budget counts from there
  bool deterministic = true;       // as far as is known
  Allowance* allowance = nullptr;  // of an unfolding beside another search
};

// A search that works when it is told to, and that nobody listens to before it has come to its end.
void live_on(Allowance& allowance, explore::ExploreOptions& search, strategies::Setting& setting) {
  search.observer = [](const explore::Progress&) { return !rt.asked_to_stop; };
  search.on_execution = [&](const Execution& execution) { allowance.charge(strategies::work_of_unfolding(execution)); };
  setting.goes_on = [&, before = std::move(setting.goes_on)] {
    allowance.charge_for_looking();
    return before();
  };
}

[[noreturn]] void unfold_beside(NativeProgram& program, Watch& watch, WorkerOptions options,
                                Circumstances circumstances);

// By one process; the default search may have an unfolding beside it.
Result<explore::ExploreResult> explore_alone(NativeProgram& program, Watch& watch,
                                             const explore::ExploreOptions& search, const strategies::Setting& setting,
                                             const WorkerOptions& options, const Circumstances& circumstances) {
  const bool local_states = explore::covers_local_states(search.strategy.algorithm);
  trace::Program& watched = watch.begin(local_states ? property::Look::kAlong : property::Look::kClass);
  if (!strategies::explores_auto(search)) return explore::explore(watched, search);
  Beside unfolding([&](Allowance& allowance) {
    unfold_beside(program, watch, options, {circumstances.start, circumstances.deterministic, &allowance});
  });
  strategies::AutoOptions how;
  if (circumstances.deterministic && watch.empty() && rt.races_checked && !program.isolated())
    how.unfold_elsewhere = [&](std::uint64_t work) { return unfolding.work(work); };
  return strategies::explore_auto(watched, search, setting, how);
}

// By several processes, that are started only if the search does not end, or find something, in a moment.
Result<explore::ExploreResult> explore_together(Watch& watch, const explore::ExploreOptions& search,
                                                const strategies::Setting& setting, std::uint32_t jobs) {
  if (strategies::explores_auto(search)) {
    auto first = strategies::explore_auto(watch.begin(property::Look::kClass), search, setting, {.first_only = true});
    if (!first || first->ended || first->parted || !first->gaps.empty()) return first;
  }
  return explore_by_processes(watch, search, jobs);
}

// Searches until no more memory becomes visible. A search during which the set grew does not count, nor do its
// findings: their schedules are of a program with fewer steps. The next search meets them again.
void explore_until_stable(NativeProgram& program, Watch& watch, const WorkerOptions& options,
                          const Circumstances& circumstances, WorkerResult& out) {
  const double start = circumstances.start;
  Allowance* const allowance = circumstances.allowance;
  for (++out.searches;; ++out.searches) {
    if (options.max_seconds) watch_deadline(*options.max_seconds - (raw::seconds() - start));
    explore::ExploreOptions search = explore_options(options);
    if (search.max_seconds) *search.max_seconds -= raw::seconds() - start;
    std::optional<double> limit;
    if (search.max_seconds) limit = raw::seconds() + *search.max_seconds;
    strategies::Setting setting = setting_for(watch, limit);
    if (allowance != nullptr) live_on(*allowance, search, setting);
    strategies::install(search, setting);
    program.begin_search();
    const std::uint64_t followed = known_steps.followed();
    const bool together = options.jobs > 1 && !program.isolated() && rt.weak;
    if (!together && allowance == nullptr)
      search.on_finding = [&](const auto& findings) { tell_findings(findings, options); };
    heed_requests_to_stop(!together && !program.isolated());
    auto result = together ? explore_together(watch, search, setting, options.jobs)
                           : explore_alone(program, watch, search, setting, options, circumstances);
    if (!result) refuse(result.error().message);
    if (known_steps.refuted())
      out.note = "a step did not lead to what it had led to before, so every step was run (--known-steps=off)";
    if (program.stale() && (result->parted || !late(options, start))) continue;
    if (result->parted && !program.isolated()) {
      fall_back(program, out, "the program did not repeat itself when rewound");
      continue;
    }
    out.result = std::move(*result);
    out.followed = known_steps.followed() - followed;
    add_note(out, out.result.note);
    break;
  }
  forget_deadline();
  heed_requests_to_stop(false);
  out.result.seconds = raw::seconds() - start;
}

// An explanation runs schedules that the search did not come to, and more memory may become visible on the way. Then it
// counts steps that are others now, and the caller has to search again: findings and schedules are of a program with
// fewer steps.
void explain(NativeProgram& program, Watch& watch, explore::ExplainOptions options, WorkerResult& out) {
  program.begin_search();  // what became visible in the end is visible now
  if (rt.weak) {           // other interleavings of the same choices would be other graphs
    explain_by_orders(program, out.result);
    return;
  }
  options.feasibility = judge_of_inputs();
  explore::explain_findings(watch.begin(property::Look::kReplay), out.result, options);
}

// To explain findings takes a while, and whatever happens then, they are not lost.
void send_found(NativeProgram& program, Watch& watch, WorkerResult out) {
  if (out.result.findings.empty()) return;
  program.begin_search();
  detail_findings(watch.begin(property::Look::kReplay), out);
  merge_mirrored_races(out);
  complete(out);
  send(encode(out, protocol::MessageType::kFound));
}

void use_inputs(const WorkerOptions& options) {
  inputs = new (engine_memory.allocate(sizeof(Inputs))) Inputs(options.inputs, &heddle_sym_tracked_code != nullptr);
}

// What the program has printed so far, where it is being captured in a file.
void forget_output() {
  raw::syscall(SYS_ftruncate, 1, 0);
  raw::syscall(SYS_lseek, 1, 0, SEEK_SET);
}

// What execution graphs do not go with.
void refuse_for_graphs(const WorkerOptions& options, const Watch& watch) {
  const std::string remedy = "; drop it, or explore under sequential consistency, without --memory and trust";
  if (inputs->tracking())
    refuse("memory models do not go with inputs that are explored; keep them fixed with --inputs=random");
  if (!watch.empty()) refuse("memory models do not go with properties of global states" + remedy);
  if (!options.prefix.empty())
    refuse("memory models are explored as whole graphs, not what follows a schedule; drop --prefix-only");
  if (options.races == protocol::RaceMode::kIgnore)
    refuse(
        "under a memory model plain accesses mean something only where they do not race, and --races=ignore does not "
        "look; use --races=report or explore");
}

// What was found in a search. True: more memory has become visible, and it has to begin again.
bool explain_search(NativeProgram& program, Watch& watch, const WorkerOptions& options, double start,
                    WorkerResult& out) {
  if (std::string open = watch.left_open(); !open.empty())
    out.result.gaps.push_back({explore::Cause::kStatesOpen, std::move(open)});
  if (options.coverage) out.coverage = coverage_so_far();  // explanations run what the search did not
  send_found(program, watch, out);
  explain(program, watch, {.minimize = options.minimize}, out);
  return program.stale() && !late(options, start);
}

// With call stacks, as failures have been described. A program that does not repeat itself has no finding that does.
void conclude_check(NativeProgram& program, Watch& watch, const explore::ExploreResult& result) {
  if (!self_check || result.parted || program.stale()) return;
  const bool before = rt.detailed;
  rt.detailed = true;
  self_check->conclude(watch.begin(property::Look::kReplay), result);
  rt.detailed = before;
}

void detail_search(NativeProgram& program, Watch& watch, const WorkerOptions& options, WorkerResult& out) {
  program.begin_search();
  detail_findings(watch.begin(property::Look::kReplay), out);
  merge_mirrored_races(out);
  conclude_check(program, watch, out.result);
  tell_data(watch.begin(property::Look::kReplay), out);
  if (rt.inputs_drawn && out.result.exhausted())
    out.result.gaps.push_back({explore::Cause::kInputsDrawn, std::to_string(options.inputs.seed)});
}

[[noreturn]] void conclude(WorkerResult& out) {
  out.orders = noted_orders();
  complete(out);
  for (const protocol::Bytes& path : explored_paths) send(path);
  standby.dismiss();
  send(encode(out));
  raw::exit(0);
}

void unfold_beside(NativeProgram& program, Watch& watch, WorkerOptions options, Circumstances circumstances) {
  program.unfold();
  options.strategy.algorithm = explore::Algorithm::kContextualUnfolding;
  options.strategy.automatic = false;
  WorkerResult out;
  explore_until_stable(program, watch, options, circumstances, out);
  const bool answer = out.result.exhausted() || !out.result.findings.empty();
  circumstances.allowance->conclude(answer);
  if (!answer) raw::exit(0);
  out.result.cpu_seconds += circumstances.allowance->cpu_seconds_beside();
  // What is left to be done is left to this process.
  circumstances.allowance = nullptr;
  while (explain_search(program, watch, options, circumstances.start, out))
    explore_until_stable(program, watch, options, circumstances, out);
  detail_search(program, watch, options, out);
  conclude(out);
}

// Findings of others, with the numbers that terms have here.
void show_again(trace::Program& program, explore::ExploreResult& result) {
  if (!inputs->tracking()) return;
  for (explore::Finding& finding : result.findings) {
    std::vector<trace::Decision> steps;
    for (const trace::Step& s : finding.execution.steps) steps.push_back({s.thread, s.choice});
    Execution again;
    explore::replay(program, steps, again);
    if (again.steps.size() == finding.execution.steps.size()) finding.execution = std::move(again);
  }
}

// What is left to do of a search that others have made.
void complete_search(NativeProgram& program, Watch& watch, const WorkerOptions& options, WorkerResult& out) {
  const auto parting = check_determinism(program, out);
  out.result = options.conclude->result;
  rt.inputs_drawn |= options.conclude->inputs_drawn;
  adopt_numbers(options.conclude->numbers, out.result.findings);
  program.begin_search();
  if (parting) admit_parting(*parting, out.result);
  show_again(watch.begin(property::Look::kReplay), out.result);
  if (options.conclude->inputs_read) inputs->note_that_read();
  for (const auto& [where, what] : dist::take_open_inputs(out.result)) inputs->leave_open_at(where, what);
  take_news();
  send_found(program, watch, out);
  explain(program, watch, {.minimize = options.minimize}, out);
  if (program.stale()) {
    out.stale = true;
    out.lessons = take_news();
    return;
  }
  detail_search(program, watch, options, out);
  const explore::ExploreResult& all = out.result;
  const bool samples = explore::guarantee_of(options.strategy) == explore::Guarantee::kSample;
  const bool sized = !all.exhausted() && !all.parted && !options.strategy.preemptions && !samples;
  if (!sized || (!options.all && !all.findings.empty())) return;
  explore::Estimator estimator(options.strategy.seed);
  out.result.estimate = explore::estimate_in_the_end(estimator, watch.begin(property::Look::kReplay),
                                                     explore_options(options), out.result);
  forget_deadline();
}

[[noreturn]] void explore_program(const EntryPoint& entry, const WorkerOptions& options) {
  if (options.items) ask_for_numbers(result_fd);
  if (options.conclude) use_numbers(options.conclude->numbers);
  if (options.items || options.conclude) keep_lessons(true);
  if (options.coverage && !counts_coverage())
    refuse("nothing in the program counts coverage; compile it with --heddle-coverage (heddle-cc, heddle-c++)");
  NativeProgram program(entry, options);
  for (const protocol::Learnt& lesson : options.learnt) learn(lesson);
  if (options.conclude) learn_news(options.conclude->lessons);
  Watch watch(program, options.properties);
  if (options.races == protocol::RaceMode::kIgnore && !options.properties.variables.empty())
    refuse(
        "a property has to see every access to its variables, and --races=ignore leaves plain ones out; use "
        "--races=explore");
  if (rt.weak) refuse_for_graphs(options, watch);
  rt.detailed = watch.needs_stacks();
  WorkerResult out;
  if (options.relax) {
    out.result.relaxation = relax_orders(program, options);
  } else if (options.replay) {
    rt.detailed = rt.output_shown = true;
    Execution execution;
    // If the program has changed, what was learnt about it is learnt again on the way.
    do {
      forget_output();
      program.begin_search();
      explore::replay(watch.begin(property::Look::kReplay), *options.replay, execution);
    } while (program.stale());
    if (rt.exited) out.exit_code = rt.exit_code;
    collect_replay(execution, out);
    if (options.explain) {
      rt.output_shown = false;
      explain(program, watch, {.minimize = false, .shorten = false}, out);
      // The schedule has been made without what was learnt only now.
      if (program.stale())
        for (explore::Finding& finding : out.result.findings) finding.explanation = {};
      if (!program.stale()) tell_data(watch.begin(property::Look::kReplay), out);
    }
  } else if (options.items) {
    check_determinism(program, out);
    explore_items(program, watch, options.strategy);
  } else if (options.conclude) {
    complete_search(program, watch, options, out);
  } else {
    const double start = raw::seconds();
    if (options.max_seconds) watch_deadline(*options.max_seconds);
    const auto parting = check_determinism(program, out);
    do {
      explore_until_stable(program, watch, options, {start, !parting}, out);
      if (parting) admit_parting(*parting, out.result);
    } while (explain_search(program, watch, options, start, out));
    detail_search(program, watch, options, out);
  }
  conclude(out);
}

// Engine memory, but the program may write to its arguments: they are part of no rewound page, so it gets them
// from its own heap.
void use_arguments(EntryPoint& entry, const std::vector<std::string>& arguments) {
  rt.in_engine = false;
  auto argv = static_cast<char**>(malloc((arguments.size() + 1) * sizeof(char*)));
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    argv[i] = static_cast<char*>(malloc(arguments[i].size() + 1));
    memcpy(argv[i], arguments[i].c_str(), arguments[i].size() + 1);
  }
  rt.in_engine = true;
  argv[arguments.size()] = nullptr;
  entry.argv = argv;
  entry.argc = static_cast<int>(arguments.size());
}

EntryPoint chosen_entry(EntryPoint entry, const WorkerOptions& options) {
  if (!options.test.empty()) {
    entry.test = test_named(options.test);
    if (!entry.test) refuse("the program has no test " + options.test + "; list them with --list-tests");
  }
  if (!options.arguments.empty()) use_arguments(entry, options.arguments);
  seed_random_numbers(options.input_seed);
  return entry;
}

// Under a debugger nobody listens: what there is to say goes to standard error.
[[noreturn]] void debug(const EntryPoint& entry, const char* path) {
  result_fd = 2;
  const long fd = raw::syscall(SYS_open, reinterpret_cast<long>(path), O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    raw::die("HEDDLE_DEBUG names a file that cannot be read; start the program by `heddle replay FILE --gdb`");
  const WorkerOptions options = read_options(static_cast<int>(fd));
  raw::syscall(SYS_close, fd);
  if (!options.replay)
    raw::die("HEDDLE_DEBUG names options without a schedule; start the program by `heddle replay FILE --gdb`");
  use_inputs(options);
  replay_for_debugger(chosen_entry(entry, options), options);
}

}  // namespace

void run_worker(const EntryPoint& entry) {
  install_signal_handlers();
  if (const char* path = getenv("HEDDLE_DEBUG")) debug(entry, path);
  const char* descriptors = getenv("HEDDLE_WORKER");
  if (!descriptors) run_once(entry);
  char* comma = nullptr;
  const long options_fd = strtol(descriptors, &comma, 10);
  if (*comma != ',') raw::die("HEDDLE_WORKER must be <options fd>,<result fd>; start the program through heddle");
  result_fd = static_cast<int>(strtol(comma + 1, &comma, 10));
  if (*comma == ',') use_solver_socket(static_cast<int>(strtol(comma + 1, nullptr, 10)));
  const WorkerOptions options = read_options(static_cast<int>(options_fd));
  if (options.list_tests) {
    send(protocol::encode_tests(test_names()));
    raw::exit(0);
  }
  use_inputs(options);
  explore_program(chosen_entry(entry, options), options);
}

}  // namespace heddle::runtime
