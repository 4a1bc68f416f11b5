#include "native/runtime/program.h"

#include <sys/single_threaded.h>
#include <unwind.h>
#include <x86intrin.h>

#include <algorithm>
#include <locale>

#include "base/assert.h"
#include "explore/explores_graphs.h"
#include "native/runtime/assumptions.h"
#include "native/runtime/atomic_waits.h"
#include "native/runtime/checkpoint.h"
#include "native/runtime/data_log.h"
#include "native/runtime/failure.h"
#include "native/runtime/happens_before.h"
#include "native/runtime/heap.h"
#include "native/runtime/hidden_state.h"
#include "native/runtime/inputs.h"
#include "native/runtime/inside_libstdcxx.h"
#include "native/runtime/io_order.h"
#include "native/runtime/isolation.h"
#include "native/runtime/kernel_state.h"
#include "native/runtime/kernel_threads.h"
#include "native/runtime/known_steps.h"
#include "native/runtime/object_state.h"
#include "native/runtime/process_end.h"
#include "native/runtime/program_inputs.h"
#include "native/runtime/program_signals.h"
#include "native/runtime/race_detector.h"
#include "native/runtime/raw.h"
#include "native/runtime/requests.h"
#include "native/runtime/scheduler.h"
#include "native/runtime/shadow.h"
#include "native/runtime/sharing.h"
#include "native/runtime/signals.h"
#include "native/runtime/suppressed_races.h"
#include "native/runtime/threads.h"
#include "native/runtime/unseen_libraries.h"
#include "native/runtime/weak_memory.h"
#include "native/runtime/world.h"
#include "trace/turn.h"

namespace heddle::runtime {

using trace::Execution;
using trace::FailureKind;
using trace::Outcome;
using trace::Schedule;

namespace {

constexpr std::size_t kPreparedThreads = 9;

EntryPoint entry_point;

// Whether main says that the program failed is a branch, if that depends on inputs.
int judge_result(int code) {
  const auto main = reinterpret_cast<const void*>(entry_point.main);
  if (!inputs || !inputs->tracking() || !is_tracked(main)) return code;
  EngineScope scope;
  inputs->decide_exit_code(TermId(heddle_sym_call.results[0]), static_cast<std::uint64_t>(code),
                           static_cast<const char*>(main) + 1);
  return code;
}

void main_entry(void*) {
  rt.in_engine = false;
  int code = 0;
  const MainArguments arguments = give_program_inputs(entry_point.argc, entry_point.argv);
  leave_nothing_behind();
  if (entry_point.test)
    entry_point.test();
  else
    code = judge_result(entry_point.main(arguments.argc, arguments.argv, entry_point.envp));
  HEDDLE_KEEP_DEAD_FRAMES();
  exit_program(code & 0xff, nullptr);
}

bool same_step(const Step& a, const Step& b) {
  return a.thread == b.thread && a.op.kind == b.op.kind && a.op.object == b.op.object && a.choice == b.choice;
}

// Who waits for what, in words. Names of objects are the supervisor's business.
std::string describe_deadlock() {
  std::string text;
  for (std::size_t t = 0; t < rt.threads; ++t) {
    const Thread& thread = rt.thread[t];
    const ThreadId id(static_cast<std::uint16_t>(t));
    const char* what = nullptr;
    if (thread.status == ThreadStatus::kParked) {
      what = "waits to be woken";
    } else if (thread.status == ThreadStatus::kPending) {
      switch (rt.conductor.pending(id).op.kind) {
        case OpKind::kAcquire:
        case OpKind::kSharedAcquire:
          what = "waits for a lock";
          break;
        case OpKind::kSemWait:
          what = "waits for a semaphore";
          break;
        case OpKind::kReceive:
          what = "waits for somebody to write";
          break;
        case OpKind::kJoin:
          what = "waits for a thread to end";
          break;
        default:
          what = "waits";
          break;
      }
    }
    if (!what) continue;
    if (!text.empty()) text += "; ";
    text += "thread " + std::to_string(t) + " " + what;
  }
  return "deadlock: " + text;
}

// Is it not by looking that threads wait, but for somebody to notify them?
bool all_sleep(const Execution& execution) {
  return std::all_of(execution.idle_turns.begin(), execution.idle_turns.end(), [](const trace::IdleTurn& turn) {
    return waits_for_notification(turn.thread) || waits_for_descriptors(turn.thread);
  });
}

trace::Waits judge(const Execution& execution) {
  if (rt.weak) return trace::judge_weak_waits(execution, stays_asleep);
  return judge_waits(execution, rt.conductor.samples() ? trace::Search::kSamples : trace::Search::kTurnsRacesRound);
}

void begin_recording(Execution& execution) {
  rt.ending = Ending::kRunning;
  rt.execution = &execution;
  ++rt.executions;
}

}  // namespace

NativeProgram::NativeProgram(const EntryPoint& entry, const protocol::WorkerOptions& options) {
  entry_point = entry;
  begin_assumptions();
  rt.max_steps = options.max_steps;
  rt.spurious = options.spurious;
  rt.kernel_threads = options.backend == protocol::Backend::kThreads;
  // One execution has nothing to gain from waiting for a suspicion, and its explanation would have to begin again.
  if (options.replay) heddle_spinning_suspected = true;
  watch_local_loops(options.max_local_seconds);
  rt.races_checked = options.races != protocol::RaceMode::kIgnore;
  // Whether a wait returns for no reason is decided by what memory holds, which an execution graph does not tell.
  if (explores_graphs(options.strategy)) {
    weak_memory.switch_on(options.strategy.memory.value_or(trace::MemoryModel::kSc));
    rt.spurious = 0;
  }
  rt.report_races = options.races == protocol::RaceMode::kReport;
  suppress_races(options.suppressed);
  for (const FailureKind kind : options.ignored) rt.ignored_failures |= 1u << static_cast<unsigned>(kind);
  // An unfolding does not run every class (sharing.h).
  if (rt.races_checked && explore::covers_local_states(options.strategy.algorithm)) sharing.watch();
  rt.explorer_fs = current_fs_base();
  take_over_terminate();
  take_over_libstdcxx();
  find_hidden_buffers();
  watch_unseen_libraries();
  // Fibers are threads to the program: while this is set, reference counts are plain and callbacks are not waited for.
  __libc_single_threaded = 0;
  // The unwinder and the locales set themselves up the first time, under a lock; that is no part of the program, and
  // the runtime unwinds too.
  _Unwind_Backtrace([](_Unwind_Context*, void*) { return _URC_END_OF_STACK; }, nullptr);
  std::locale::classic();
  Thread& main_thread = rt.thread[0];
  start_thread(ThreadId(0), main_entry);
  main_thread.tls.load_from(rt.explorer_fs);
  // Making storage blocks writes to the dynamic linker's pages, which had better stay cold.
  for (std::size_t t = 1; t < kPreparedThreads; ++t) prepare_thread(ThreadId(static_cast<std::uint16_t>(t)));
  if (options.isolation == protocol::Isolation::kProcess || rt.kernel_threads) isolate();
  if (!options.checkpoints || rt.kernel_threads || rt.weak) checkpoints.switch_off();  // they do not keep stores
  // Inputs have outcomes of their own, coverage counts what is run, an unfolding learns from all accesses, and without
  // looking for races nobody sees plain accesses to atomic objects.
  if (options.known_steps && !rt.weak && !isolated_ && !rt.kernel_threads && rt.races_checked && !options.coverage &&
      !sharing.watched() && !(inputs && inputs->tracking()))
    known_steps.switch_on();
  keep_parts_as_start();
}

void NativeProgram::begin(const Schedule& schedule, Execution& execution) {
  begin_parts();
  begin_recording(execution);
  rt.conductor.begin(schedule, execution);
  start_thread(ThreadId(0), main_entry);
  clear_thread_keys(rt.thread[0]);
  rt.local = {};
}

// The thread that ran last chooses the next step.
void NativeProgram::begin_at(const Checkpoint& checkpoint, const Schedule& schedule, Execution& execution) {
  checkpoints.restore();
  begin_recording(execution);
  rt.conductor.resume(schedule, execution, {checkpoint.position, checkpoint.threads_seen}, [&] {
    for (const Step& step : checkpoint.announced) rt.conductor.announce(step.thread, step);
  });
  execution.stopped = checkpoint.stopped;
  execution.idle_turns = checkpoint.idle_turns;
  execution.round_trips = checkpoint.round_trips;
  execution.unwanted = checkpoint.unwanted;
}

void NativeProgram::unfold() {
  sharing.watch();
  known_steps.switch_off();
  checkpoints.switch_off();
}

void NativeProgram::isolate() {
  isolated_ = rt.own_process = true;
  checkpoints.switch_off();
  known_steps.switch_off();
  keep_lessons(true);
}

std::optional<explore::Parting> NativeProgram::first_difference() {
  Execution first, second;
  // What becomes visible on the way changes the steps: begin again until nothing does.
  do {
    begin_search();
    run({}, first);
  } while (stale());
  // What the clock has ended says nothing about determinism, and takes seconds each time.
  const auto by_the_clock = [](const trace::Failure& f) { return f.kind == trace::FailureKind::kLivelock; };
  if (std::any_of(first.failures.begin(), first.failures.end(), by_the_clock)) return std::nullopt;
  if (inputs) inputs->forget_outcomes();
  run({}, second);
  if (stale() || rt.out_of_time) return std::nullopt;
  const std::size_t common = std::min(first.steps.size(), second.steps.size());
  for (std::size_t i = 0; i < common; ++i)
    if (!same_step(first.steps[i], second.steps[i]))
      return explore::Parting{static_cast<EventIndex>(i), first.steps[i], second.steps[i]};
  if (first.steps.size() == second.steps.size() && first.outcome == second.outcome) return std::nullopt;
  explore::Parting parting{static_cast<EventIndex>(common), {}, {}};
  if (common < first.steps.size()) parting.once = first.steps[common];
  if (common < second.steps.size()) parting.again = second.steps[common];
  return parting;
}

void NativeProgram::begin_search() {
  rt.visible_set_grown = objects.merged = false;
  checkpoints.forget();
  known_steps.forget();
  if (inputs) inputs->forget_outcomes();
}

bool NativeProgram::stale() const { return rt.visible_set_grown || objects.merged || known_steps.refuted(); }

void NativeProgram::run(const Schedule& schedule, Execution& execution) {
  if (stale()) {
    execution.clear();
    execution.outcome = Outcome::kDiverged;
    return;
  }
  if (!known_steps.follow(schedule, execution)) return run_program(schedule, execution);
  ran_last_ = false;
  if (!known_steps.wants_comparison() && !slow_checks) return;
  const Execution followed = execution;
  run_program(schedule, execution);
  known_steps.compare(followed, execution);
}

void NativeProgram::run_program(const Schedule& schedule, Execution& execution) {
  const bool again = &execution == last_execution_ && ran_last_;
  last_execution_ = &execution;
  ran_last_ = true;
  // From a checkpoint on, the steps before it stay as they are.
  if (known_steps.wants_beginning()) checkpoints.forget();
  checkpoints.prepare(schedule);
  const std::size_t start = checkpoints.last() ? checkpoints.last()->position : 0;
  if (start > 0) {
    if (!again || execution.steps.size() < start) execution.steps = checkpoints.prefix();
    const auto steps = execution.steps.begin();
    const std::size_t end = std::min(schedule.fresh, execution.steps.size());
    previous_.assign(steps + static_cast<std::ptrdiff_t>(start), steps + static_cast<std::ptrdiff_t>(end));
  } else if (again) {
    std::swap(previous_, execution.steps);
  }
  if (isolated_ && !rt.debugged) {
    run_isolated(schedule, execution);
  } else {
    const bool measured = rt.executions % 16 == 0;
    const std::uint64_t began = measured ? __rdtsc() : 0;
    known_steps.begin_run(schedule, execution, start);
    run_here(schedule, execution);
    if (rt.ending == Ending::kNeedsProcess) {
      isolate();
      checkpoints.forget();
      return run_isolated(schedule, execution);
    }
    known_steps.end_run(execution);
    if (measured) checkpoints.measure(__rdtsc() - began, execution.steps.size() - start);
  }
  if (!again) return;
  if (execution.outcome == Outcome::kDiverged) {
    const std::size_t at = execution.diverged_at;
    if (at < start || at - start >= previous_.size()) return;
    const Step& before = previous_[at - start];
    if (schedule.steps[at] == trace::Decision{before.thread, before.choice}) execution.diverged_from = before;
    return;
  }
  const std::size_t common =
      std::min({schedule.fresh, schedule.steps.size(), start + previous_.size(), execution.steps.size()});
  for (std::size_t i = start; i < common; ++i) {
    const Step& before = previous_[i - start];
    // With several explorers the execution before may have been of another part of the tree.
    if (schedule.steps[i] != trace::Decision{before.thread, before.choice}) return;
    if (same_step(before, execution.steps[i])) continue;
    execution.outcome = Outcome::kDiverged;
    execution.diverged_at = static_cast<EventIndex>(i);
    execution.diverged_from = before;
    return;
  }
}

void NativeProgram::run_isolated(const Schedule& schedule, Execution& execution) {
  struct Call {
    NativeProgram* program;
    const Schedule* schedule;
    Execution* execution;
  } call{this, &schedule, &execution};
  const auto run = [](void* p) {
    auto& c = *static_cast<Call*>(p);
    watch_local_loops_in_child();
    watch_deadline_in_child();
    c.program->run_here(*c.schedule, *c.execution);
  };
  int status = 0;
  if (run_in_child(run, &call, execution, status)) {
    if (inputs) inputs->see_outcomes(execution);
    return;
  }
  // The child has said what it refuses (raw::die); the program's own exit never gets this far.
  constexpr int kRefused = 3 << 8, kInternalError = 70 << 8;
  if (status == kRefused) raw::exit(3);
  if (status == kInternalError) raw::exit(70);
  execution.clear();
  execution.outcome = Outcome::kFailed;
  execution.failures.push_back({FailureKind::kCrash, 0, kNoThread, 0,
                                "the process of the execution was killed (status " + std::to_string(status) + ")"});
  failure_details().assign(1, {});
}

void NativeProgram::run_here(const Schedule& schedule, Execution& execution) {
  if (!inputs) return run_once(schedule, execution);
  inputs->begin_run(schedule);
  do {
    run_once(schedule, execution);
  } while (rt.ending != Ending::kNeedsProcess && inputs->again());
  inputs->end_run(execution);
}

void NativeProgram::run_once(const Schedule& schedule, Execution& execution) {
  if (const Checkpoint* checkpoint = checkpoints.last())
    begin_at(*checkpoint, schedule, execution);
  else
    begin(schedule, execution);
  rt.active = true;
  if (rt.kernel_threads) {
    run_kernel_threads();
    return conclude(execution);
  }
  for (;;) {
    set_fs_base(rt.self().tls.base());
    heddle_switch_stack(&rt.explorer_stack, rt.self().stack_pointer);
    // end_execution() came back here, or pause_for_checkpoint().
    if (rt.ending != Ending::kAtCheckpoint) break;
    checkpoints.take();
    rt.ending = Ending::kRunning;
  }
  end_parts();
  conclude(execution);
}

void NativeProgram::conclude(Execution& execution) {
  if (rt.ending == Ending::kRestart || rt.ending == Ending::kNeedsProcess) return;
  rt.conductor.end(rt.final_enabled, [](const Step& step) -> std::optional<std::uint64_t> {
    const Object& object = objects[step.op.object];
    const bool there = object.kind == protocol::ObjectKind::kRequests || is_always_there(object.address);
    return there ? state_of(object) : std::nullopt;
  });
  if (rt.weak)
    for (trace::Pending& pending : execution.pending)
      if (pending.step.op.object != kNoObject)
        pending.step.op.object = weak_memory.in_this_life(pending.step.op.object);
  switch (rt.ending) {
    case Ending::kTerminated:
      execution.outcome = judge(execution) == trace::Waits::kVoid ? Outcome::kInfeasible : Outcome::kComplete;
      break;
    case Ending::kNothingEnabled:
      if (rt.conductor.diverged()) {
        execution.outcome = Outcome::kDiverged;
        return;
      }
      if (rt.conductor.stopped_asleep()) {
        execution.outcome = Outcome::kAsleep;
        return;
      }
      judge_unfinished(execution);
      break;
    case Ending::kOutOfTime:
      execution.outcome = Outcome::kCut;
      break;
    case Ending::kRestart:
    case Ending::kNeedsProcess:
    case Ending::kRunning:
    case Ending::kAtCheckpoint:
      INVARIANT(false);
  }
  if (!execution.failures.empty() && execution.outcome == Outcome::kComplete) execution.outcome = Outcome::kFailed;
  // Nobody asked for such an execution: what went wrong in it does not count, in whichever thread and whenever. (One
  // that is void because a thread looked too early is the beginning of a real one, and what is found in it is found.)
  if (execution.unwanted.empty()) return;
  execution.outcome = Outcome::kInfeasible;
  execution.failures.clear();
  failure_details().clear();
}

// Nobody can run: have all ended, or what keeps the others?
//
// Whether a thread that was cut would have made the change that others wait for in loops is not known.
void NativeProgram::judge_unfinished(Execution& execution) {
  bool waiting = false, failed = false, cut = false, untrue = false;
  for (std::size_t t = 0; t < rt.threads; ++t) {
    const Thread& thread = rt.thread[t];
    waiting |= thread.status == ThreadStatus::kParked || thread.status == ThreadStatus::kPending;
    failed |= thread.status == ThreadStatus::kFailed;
    // What it was told, that the other one has ended, it would not have been told.
    untrue |= thread.status == ThreadStatus::kPending &&
              trace::only_tries(rt.conductor.pending(ThreadId(static_cast<std::uint16_t>(t))).op);
    untrue |= would_be_asked(thread, ThreadId(static_cast<std::uint16_t>(t)));
    if (thread.status != ThreadStatus::kStopped) continue;
    cut |= thread.stopped == Stopped::kCut || thread.hurried != 0;  // it might have given up one day
  }
  note_blocked_in_loops();
  const trace::Waits waits = judge(execution);
  if (untrue || waits == trace::Waits::kVoid) {
    execution.outcome = Outcome::kInfeasible;
  } else if (cut || waits == trace::Waits::kUnknown) {
    execution.outcome = Outcome::kCut;
  } else if (failed) {
    // Threads that wait for one that failed are no finding of their own.
  } else if (waits == trace::Waits::kForEver && !all_sleep(execution)) {
    report_livelocks(execution);
  } else if (waiting || waits == trace::Waits::kForEver) {
    execution.outcome = Outcome::kDeadlock;
    execution.failures.push_back({FailureKind::kDeadlock, rt.conductor.position(), kNoThread, 0, describe_deadlock()});
    failure_details().push_back({});
  }
}

void NativeProgram::report_livelocks(Execution& execution) {
  for (const trace::IdleTurn& turn : execution.idle_turns) {
    execution.failures.push_back({FailureKind::kLivelock, rt.conductor.position(), turn.thread,
                                  rt.thread[turn.thread.index()].spin.where,
                                  "a thread waits in a loop for a change that nobody makes"});
    failure_details().push_back({});
  }
}

}  // namespace heddle::runtime
