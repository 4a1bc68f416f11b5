// Heddle as a library, for people who drive their own threads, coroutines or simulator.
//
// A Session explores a program that lives in your code. You keep your threads and your memory; the session keeps
// the schedule, and knows locks, semaphores, condition variables, starting and joining well enough to say who
// can run. One execution after the other:
//
//   auto session = heddle::Session::create({});
//   while (session->begin()) {                              // an execution along another class
//     session->announce(t, heddle::write(x));               // for each thread: its next operation
//     while (auto turn = session->next()) {                 // who runs
//       ... let turn->thread do its operation ...
//       session->performed({found, left});                  // memory: the value before and after
//       ... session->announce(turn->thread, its next operation), or session->ended(turn->thread) ...
//     }
//     session->finish();
//   }
//   heddle::Report report = session->conclude();            // verdict, counts, findings
//
// The program must be deterministic apart from the schedule: the same turns lead to the same operations.
// Whoever has a class that can run a whole execution by itself implements heddle::Program (trace/program.h) and
// calls heddle::explore::explore(program, options) instead.
#pragma once

// The engine's assertion macros have short names and must not leak into, or be hidden by, those of a test framework.
#pragma push_macro("REQUIRE")
#pragma push_macro("ENSURE")
#pragma push_macro("INVARIANT")
#pragma push_macro("SLOW_INVARIANT")
#undef REQUIRE
#undef ENSURE
#undef INVARIANT
#undef SLOW_INVARIANT

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "explore/explorer.h"
#include "trace/conductor.h"
#include "trace/object.h"

namespace heddle {

using explore::Algorithm;
using explore::Verdict;
using trace::Execution;
using trace::FailureKind;
using trace::OpKind;
using trace::Program;
using Options = explore::ExploreOptions;
using Report = explore::ExploreResult;

// A thread's next operation, made by the functions below.
struct Intent {
  OpKind kind = OpKind::kRead;
  ObjectId object = kNoObject;
  ThreadId peer = kNoThread;
  std::uint64_t expected = 0;  // compare-and-swap
  std::uint16_t alternatives = 0;
  std::uint32_t where = 0;  // a source position in your own numbering; it comes back in findings

  Intent at(std::uint32_t position) const {
    Intent i = *this;
    i.where = position;
    return i;
  }
};

inline Intent read(ObjectId x) { return {OpKind::kRead, x}; }
inline Intent write(ObjectId x) { return {OpKind::kWrite, x}; }
inline Intent update(ObjectId x) { return {OpKind::kUpdate, x}; }  // fetch-add, exchange
inline Intent compare_and_swap(ObjectId x, std::uint64_t expected) { return {OpKind::kCas, x, kNoThread, expected}; }
inline Intent lock(ObjectId m) { return {OpKind::kAcquire, m}; }
inline Intent try_lock(ObjectId m) { return {OpKind::kTryAcquire, m}; }
inline Intent unlock(ObjectId m) { return {OpKind::kRelease, m}; }
// Reader-writer locks: readers hold one together.
inline Intent lock_shared(ObjectId m) { return {OpKind::kSharedAcquire, m}; }
inline Intent try_lock_shared(ObjectId m) { return {OpKind::kSharedTry, m}; }
inline Intent unlock_shared(ObjectId m) { return {OpKind::kSharedRelease, m}; }
// Waiting is three operations: wait(c), then unlock_to_wait(m), then lock(m), which is held back until a signal
// or broadcast has woken the thread.
inline Intent wait(ObjectId c) { return {OpKind::kWait, c}; }
inline Intent unlock_to_wait(ObjectId m) { return {OpKind::kWaitRelease, m}; }
inline Intent signal(ObjectId c) { return {OpKind::kSignal, c}; }
inline Intent broadcast(ObjectId c) { return {OpKind::kBroadcast, c}; }
inline Intent semaphore_wait(ObjectId s) { return {OpKind::kSemWait, s}; }
inline Intent semaphore_try_wait(ObjectId s) { return {OpKind::kSemTry, s}; }
inline Intent semaphore_post(ObjectId s) { return {OpKind::kSemPost, s}; }
inline Intent spawn(ThreadId t) { return {OpKind::kSpawn, kNoObject, t}; }
inline Intent join(ThreadId t) { return {OpKind::kJoin, kNoObject, t}; }
// Any of 0 .. n-1, all of them explored; n is at most 128.
inline Intent choose(std::uint16_t n) { return {OpKind::kChoose, kNoObject, kNoThread, 0, n}; }

// Who runs, and how its operation turns out where the session decides that.
struct Turn {
  ThreadId thread;
  OpKind kind = OpKind::kRead;
  ObjectId object = kNoObject;
  std::uint16_t choice = 0;  // choose: the value; signal: the thread woken
  bool succeeds = true;      // a try of a lock or a semaphore: whether it got it
};

// What a memory access found and what it left there. Only compare-and-swap needs true values for the exploration
// to be right; elsewhere they make the traces readable.
struct Values {
  std::uint64_t before = 0;
  std::uint64_t after = 0;
};

class Session {
 public:
  // An error where options contradict each other.
  static Result<Session> create(const Options& options) {
    auto exploration = explore::Exploration::begin(options);
    if (!exploration) return exploration.error();
    return Session(std::move(*exploration));
  }

  // Starts the next execution. False: every class was explored, a budget is used up, or something is wrong (error()).
  bool begin() {
    if (error_) return false;
    const trace::Schedule* schedule = exploration_.next();
    if (schedule == nullptr) return false;
    state_->reset();
    state_->conductor.begin(*schedule, state_->execution);
    return true;
  }

  // `thread` is about to do this. Threads announce before their first turn (once they are started) and after
  // each turn. False: the operation itself is a bug (an unlock of a lock not held); it was recorded, the
  // thread is stopped, and you must not drive it further in this execution.
  bool announce(ThreadId thread, const Intent& intent) {
    State& s = *state_;
    if (trace::gives_lock(intent.kind) && !s.holds(thread, intent)) {
      fail(thread, FailureKind::kUnlockNotHeld, "unlock of a lock that the thread does not hold", intent.where);
      return false;
    }
    s.intents[thread] = intent;
    s.stopped.erase(thread);
    if (s.held_back(thread, intent))
      s.conductor.retire(thread);
    else
      s.conductor.announce(thread, s.pending_step(thread));
    return true;
  }

  // `thread` has no further operations.
  void ended(ThreadId thread) {
    state_->intents.erase(thread);
    state_->stopped.insert(thread);
    state_->conductor.retire(thread);
  }

  // `thread` has failed: the finding is recorded, the thread is stopped, the others go on to their end, so that
  // every class is still explored. Who joins it waits for good.
  void fail(ThreadId thread, FailureKind kind, std::string message, std::uint32_t where = 0) {
    State& s = *state_;
    s.execution.failures.push_back({kind, s.conductor.position(), thread, where, std::move(message)});
    s.intents.erase(thread);
    s.conductor.retire(thread);
  }

  // Who runs next; nothing when the execution is over: call finish().
  std::optional<Turn> next() {
    State& s = *state_;
    for (auto& [thread, intent] : s.intents)
      if (intent.kind == OpKind::kSignal || intent.kind == OpKind::kBroadcast)
        s.conductor.pending(thread).set = s.waiters(intent.object);
    const auto decision = s.conductor.decide(s.enabled());
    if (!decision) return std::nullopt;
    const Intent& intent = s.intents.at(decision->thread);
    s.current = {decision->thread, intent.kind, intent.object, decision->choice, true};
    if (trace::is_on_counted(intent.kind))
      s.current.succeeds = trace::outcome_at(intent.kind, s.state(intent.object), 0) == intent.kind;
    return s.current;
  }

  // The turn was taken.
  void performed(Values values = {}) {
    State& s = *state_;
    trace::Step step = s.pending_step(s.current.thread);
    step.choice = s.current.choice;
    s.apply(step, values);
    s.intents.erase(s.current.thread);
    s.conductor.performed(step);
    trace::woken_by(step).for_each_thread([&](ThreadId t) { s.wake(t); });
  }

  // Ends the execution after next() returned nothing, or cuts it short before.
  void finish() {
    State& s = *state_;
    s.conductor.end(s.enabled());
    s.execution.outcome = s.outcome();
    if (s.execution.outcome == trace::Outcome::kDeadlock)
      s.execution.failures.push_back(
          {FailureKind::kDeadlock, s.conductor.position(), kNoThread, 0, s.describe_deadlock()});
    if (auto error = exploration_.learn(s.execution)) error_ = std::move(error);
  }

  // The execution under way, or the last one.
  const Execution& execution() const { return state_->execution; }
  const std::optional<Error>& error() const { return error_; }

  Report conclude() { return exploration_.conclude(); }

 private:
  // One execution's state. On the heap, as the conductor keeps pointers into it.
  struct State {
    trace::Conductor conductor;
    Execution execution;
    std::map<ThreadId, Intent> intents;        // of threads that have not ended
    std::map<ObjectId, std::uint64_t> states;  // of locks and semaphores (trace/object.h)
    std::map<ObjectId, ThreadId> owners;       // of locks held exclusively
    std::map<ThreadId, ObjectId> waiting;      // not woken yet, by condition variable
    ThreadSet stopped;                         // ended, for join
    Turn current;

    void reset() {
      intents.clear();
      states.clear();
      owners.clear();
      waiting.clear();
      stopped = {};
    }

    std::uint64_t state(ObjectId object) const {
      const auto found = states.find(object);
      return found == states.end() ? trace::kLockFree : found->second;
    }

    // Which readers hold a lock is not known here, only how many.
    bool holds(ThreadId thread, const Intent& intent) const {
      const std::uint64_t now = state(intent.object);
      if (intent.kind == OpKind::kSharedRelease) return now != trace::kLockFree && now != trace::kHeldExclusively;
      const auto found = owners.find(intent.object);
      return found != owners.end() && found->second == thread;
    }

    ThreadSet waiters(ObjectId condition) const {
      ThreadSet set;
      for (const auto& [thread, object] : waiting)
        if (object == condition) set.insert(thread);
      return set;
    }

    bool held_back(ThreadId thread, const Intent& intent) const {
      return waiting.contains(thread) && intent.kind != OpKind::kWaitRelease;
    }

    ThreadSet enabled() const {
      ThreadSet set;
      for (const auto& [thread, intent] : intents) {
        if (held_back(thread, intent)) continue;
        if (intent.kind == OpKind::kJoin ? !stopped.contains(intent.peer)
                                         : !trace::enabled_at(intent.kind, state(intent.object), 0))
          continue;
        set.insert(thread);
      }
      return set;
    }

    trace::Step pending_step(ThreadId thread) const {
      const Intent& intent = intents.at(thread);
      trace::Step step;
      step.thread = thread;
      step.op = {.kind = intent.kind, .peer = intent.peer, .object = intent.object, .after = intent.expected};
      step.where = intent.where;
      if (intent.kind == OpKind::kChoose) step.set = SmallSet::below(intent.alternatives);
      if (intent.kind == OpKind::kSignal || intent.kind == OpKind::kBroadcast) step.set = waiters(intent.object);
      return step;
    }

    // Makes `step` say what happened and brings locks, counts and waiters up to date.
    void apply(trace::Step& step, Values values) {
      trace::Operation& op = step.op;
      if (trace::on_memory(op.kind)) {
        trace::settle(op, values.before, values.after);
      } else if (trace::is_on_counted(op.kind)) {
        trace::settle(op, state(op.object));
        states[op.object] = trace::state_after(op.kind, op.before, op.after);
        if (states[op.object] == trace::kHeldExclusively && trace::takes_lock(op.kind)) owners[op.object] = step.thread;
        if (trace::gives_lock(op.kind)) owners.erase(op.object);
      } else if (op.kind == OpKind::kWait) {
        waiting[step.thread] = op.object;
      }
    }

    // A thread that has announced what it does after waiting may do it now.
    void wake(ThreadId thread) {
      waiting.erase(thread);
      const auto intent = intents.find(thread);
      if (intent != intents.end() && intent->second.kind != OpKind::kWaitRelease)
        conductor.announce(thread, pending_step(thread));
    }

    trace::Outcome outcome() const {
      if (conductor.diverged()) return trace::Outcome::kDiverged;
      if (conductor.stopped_asleep()) return trace::Outcome::kAsleep;
      if (!enabled().empty()) return trace::Outcome::kCut;
      if (!execution.failures.empty()) return trace::Outcome::kFailed;
      return intents.empty() ? trace::Outcome::kComplete : trace::Outcome::kDeadlock;
    }

    std::string describe_deadlock() const {
      std::string text;
      for (const auto& [thread, intent] : intents) {
        text += (text.empty() ? "thread " : "; thread ") + std::to_string(thread.value) + " waits ";
        if (const auto w = waiting.find(thread); w != waiting.end())
          text += "for a signal of object " + std::to_string(w->second.value);
        else if (intent.kind == OpKind::kJoin)
          text += "for thread " + std::to_string(intent.peer.value) + " to end";
        else
          text += "for object " + std::to_string(intent.object.value);
      }
      return text;
    }
  };

  explicit Session(explore::Exploration exploration)
      : exploration_(std::move(exploration)), state_(std::make_unique<State>()) {}

  explore::Exploration exploration_;
  std::unique_ptr<State> state_;
  std::optional<Error> error_;
};

}  // namespace heddle

#pragma pop_macro("REQUIRE")
#pragma pop_macro("ENSURE")
#pragma pop_macro("INVARIANT")
#pragma pop_macro("SLOW_INVARIANT")
