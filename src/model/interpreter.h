// Runs compiled models under a schedule.
//
// A thread is always in front of its next visible operation: `advance` runs its local code up to there and
// announces the operation, `perform` executes it when the conductor decides so. Who is enabled is kept up to
// date as things happen: the threads that want a lock are remembered per lock, those that would wake a waiter
// per condition variable, those that join per thread; so a step costs nothing for threads it does not
// concern.
//
// A failing thread stops in front of whatever comes next, with its locks held, and never counts as ended. The
// others go on (trace/outcome.h).
#pragma once

#include <array>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "model/code.h"
#include "trace/conductor.h"

namespace heddle::model {

struct ModelOptions {
  std::uint32_t max_steps = 10'000;  // visible operations of one thread; beyond, the execution is cut
  std::uint64_t input_seed = 0;
};

class Interpreter {
 public:
  Interpreter(const Code& code, const ModelOptions& options);

  void run(const trace::Schedule& schedule, trace::Execution& execution);

  std::string thread_name(ThreadId t) const;
  std::string object_name(ObjectId object) const;
  // Of every object, after the last execution; a lock's is its owner or kNoOwner.
  const std::vector<std::int32_t>& values() const { return values_; }

 private:
  enum class State : std::uint8_t {
    kUnborn,
    kReady,   // in front of a visible operation, which may be blocked
    kParked,  // waits to be woken
    kEnded,
    kStopped,  // failed, cut, or infeasible
  };

  struct Frame {
    std::uint32_t return_to;
    std::uint32_t window;
  };

  struct Thread {
    std::int32_t* registers = nullptr;  // of all windows
    Frame* frames = nullptr;
    std::uint32_t pc = 0;
    std::uint32_t window = 0;
    std::uint32_t depth = 0;
    std::uint32_t steps = 0;
    std::uint32_t inputs = 0;
    std::uint32_t spawned = 0;
    std::uint32_t function = 0;  // it started in
    State state = State::kUnborn;
  };

  // What makes a spawned thread the same thread in all executions.
  struct Birth {
    ThreadId parent;
    std::uint32_t ordinal;  // among its parent's, from 1
    std::uint32_t function;
  };

  // interpreter.cpp
  void reset();
  void start(ThreadId t, std::uint32_t function);
  void stop(ThreadId t);
  void fail(ThreadId t, trace::FailureKind kind, std::string message);
  void conclude(trace::Execution& execution, ThreadSet blocked);
  ThreadSet unfinished() const;
  ThreadId child_id(ThreadId parent, std::uint32_t ordinal, std::uint32_t function);
  void name_spawned_threads();

  // local_code.cpp
  void advance(ThreadId t);
  bool local_call(ThreadId t, const Instruction& i);
  bool element(ThreadId t, const Instruction& i, std::int32_t* r);
  void announce(ThreadId t, const Instruction& i, const std::int32_t* r);
  bool announce_spawn(ThreadId t, const Instruction& i, trace::Step& step);
  bool announce_join(ThreadId t, const Instruction& i, const std::int32_t* r, trace::Step& step);

  // visible_step.cpp
  void perform(const trace::Decision& d);
  void perform_memory(ThreadId t, const Instruction& i, std::int32_t* r, trace::Step& step);
  void perform_lock(ThreadId t, const Instruction& i, std::int32_t* r, trace::Step& step);
  ThreadSet perform_cond(ThreadId t, const Instruction& i, trace::Step& step);
  void refresh_notifiers(std::uint32_t cond);

  // deadlock.cpp
  std::string describe_deadlock(ThreadSet blocked) const;
  std::string describe_wait(ThreadId t) const;

  Thread& thread(ThreadId t) { return threads_[t.index()]; }
  const Thread& thread(ThreadId t) const { return threads_[t.index()]; }
  Offset place_of(const Thread& th) const { return code_.places[th.pc]; }
  // The `where` of steps and failures: 0 is nowhere.
  std::uint32_t where(const Thread& th) const { return place_of(th) + 1; }
  std::uint32_t slot(std::int32_t object) const { return code_.slots[static_cast<std::size_t>(object)]; }

  const Code& code_;
  ModelOptions options_;
  trace::Conductor conductor_;
  trace::Execution* execution_ = nullptr;

  std::array<Thread, kMaxThreads> threads_;
  std::size_t used_ = 0;                        // threads_[used_...] were not touched by this execution
  std::vector<std::int32_t> values_;            // by object
  std::vector<ThreadSet> contenders_;           // by lock: whose next operation is to take it
  std::vector<ThreadSet> waiters_;              // by condition variable: registered and not woken
  std::vector<ThreadSet> notifiers_;            // by condition variable: whose next operation wakes
  std::array<ThreadSet, kMaxThreads> joiners_;  // by thread: whose next operation waits for its end
  ThreadSet enabled_;
  bool failed_ = false;
  bool cut_ = false;
  bool infeasible_ = false;

  std::vector<std::unique_ptr<std::int32_t[]>> register_files_;
  std::vector<std::unique_ptr<Frame[]>> frame_stacks_;

  // Kept across executions, so that a spawned thread has one id in all of them.
  std::map<std::pair<std::uint16_t, std::uint32_t>, ThreadId> children_;
  std::vector<Birth> births_;  // of ids from code_.threads.size() on
};

// Limits of one thread.
inline constexpr std::uint32_t kRegisterFile = 8192;
inline constexpr std::uint32_t kMaxCalls = 512;
// Local instructions between two visible operations; beyond, the execution is cut.
inline constexpr std::uint32_t kLocalBudget = 10'000'000;

}  // namespace heddle::model
