// Runs compiled models under a schedule.
//
// A thread is always in front of its next visible operation: `advance` runs its local code up to there and
// announces the operation, `perform` executes it when the conductor decides so. Who is enabled is kept up to
// date as things happen: the threads that want a lock are remembered per lock, those that would wake a waiter
// per condition variable, those that join per thread; so a step costs nothing for threads it does not
// concern.
//
// With symbolic inputs (ModelOptions::inputs) a value that depends on inputs has a term beside it, and a condition on
// such a value makes a step of its own, a branch, which the schedule decides like any other operation with
// alternatives. What inputs can bring about, and inputs for the outcomes that were decided, come from
// symbolic/input_space.h; if the inputs at hand do not lead where the schedule goes, the execution is begun again
// with others (symbolic_code.cpp).
//
// A failing thread stops in front of whatever comes next, with its locks held, and never counts as ended. The
// others go on (trace/outcome.h). A thread that goes round a loop in vain is stopped too (trace/turn.h,
// waiting_loop.cpp).
#pragma once

#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/code.h"
#include "symbolic/input_space.h"
#include "trace/conductor.h"
#include "trace/turn.h"

namespace heddle::model {

enum class InputMode : std::uint8_t {
  kRandom,    // determined by the seed
  kSymbolic,  // explored
  kGiven,     // by name; one that is not named is 0
};

// Which outcome of a branch is taken first where the schedule leaves it open.
enum class BranchOrder : std::uint8_t {
  kAsInputs,     // the one that zeros lead to, or else the least: depth-first
  kRandom,       // by a seed
  kNewCoverage,  // one that has not been seen at this place yet
};

// Failures that inputs might bring about and that are branched on.
struct InputChecks {
  bool division = true;   // by zero
  bool bounds = true;     // of an array
  bool overflow = false;  // of signed addition, subtraction and multiplication
};

// Instructions and outcomes of conditional jumps met so far, over all executions.
struct Coverage {
  std::vector<std::uint64_t> hits;    // by instruction
  std::vector<std::uint64_t> jumped;  // conditional jumps: taken
  std::vector<std::uint64_t> passed;  // ... not taken
};

// Loops that count and were hurried through (waiting_loop.cpp), by their places: of all copies of a model.
class HurriedLoops {
 public:
  void add(std::uint32_t place) {
    const std::lock_guard lock(mutex_);
    places_.insert(place);
  }
  std::vector<std::uint32_t> places() const {
    const std::lock_guard lock(mutex_);
    return {places_.begin(), places_.end()};
  }

 private:
  mutable std::mutex mutex_;
  std::set<std::uint32_t> places_;
};

struct ModelOptions {
  std::uint32_t max_steps = 10'000;  // visible operations of one thread; beyond, the execution is cut
  std::uint64_t input_seed = 0;
  InputMode inputs = InputMode::kRandom;
  std::map<std::string, std::int64_t> given{};  // InputMode::kGiven: by name, as input_name() makes it
  BranchOrder branch_order = BranchOrder::kAsInputs;
  std::uint64_t branch_seed = 0;
  InputChecks checks{};
  // Arrays of up to so many elements are read at an index that depends on inputs all at once, as one term; other reads,
  // and all writes, go index by index.
  std::uint32_t symbolic_reads = 0;
  symbolic::QueryOptions queries{};
  bool coverage = false;
  std::uint32_t spurious = 0;  // wake-ups of one thread that nobody has caused, at most
  // Choices of memory operations say which store they read, or where among the stores they are (trace/operation.h).
  bool weak_memory = false;
  std::shared_ptr<HurriedLoops> hurried{};  // null: the model has its own
};

class Interpreter {
 public:
  Interpreter(const Code& code, const ModelOptions& options);

  void run(const trace::Schedule& schedule, trace::Execution& execution);

  std::string thread_name(ThreadId t) const;
  const std::shared_ptr<HurriedLoops>& hurried() const { return options_.hurried; }
  std::size_t known_threads() const { return code_.threads.size() + births_.size(); }
  // What makes a spawned thread the same thread in all executions.
  struct Birth {
    ThreadId parent;
    std::uint32_t ordinal;  // among its parent's, from 1
    std::uint32_t function;
  };
  // Of those that not every interpreter of this model knows from the beginning, in the order of their numbers.
  std::vector<Birth> late_births() const { return {births_.begin() + early_births_, births_.end()}; }
  void use_late_births(const std::vector<Birth>& births);
  std::string object_name(ObjectId object) const;
  // Of every object, after the last execution; a lock's is its owner or kNoOwner.
  const std::vector<std::int32_t>& values() const { return values_; }

  // Null unless inputs are symbolic and the model reads any.
  symbolic::InputSpace* inputs() { return space_.get(); }
  std::string input_name(ThreadId t, std::uint32_t ordinal) const;
  // What keeps the exploration of inputs from being complete: place -> what happened there.
  const std::map<Offset, std::string>& left_open() const { return left_open_; }
  std::map<Offset, std::string> take_left_open() { return std::exchange(left_open_, {}); }
  const Coverage& coverage() const { return coverage_; }

 private:
  enum class State : std::uint8_t {
    kUnborn,
    kReady,   // in front of a visible operation, which may be blocked
    kParked,  // waits to be woken
    kEnded,
    kStopped,  // failed, cut, infeasible, or in a waiting loop
  };

  // A loop that a thread is in, and how its last turn began.
  struct Turn {
    std::uint32_t pc = 0;
    std::uint32_t depth = 0;  // of calls
    EventIndex first = 0;     // number of steps done then
    std::uint32_t inputs = 0;
    std::vector<std::int32_t> registers{};
    std::vector<symbolic::TermId> terms{};
    // Of the turn before, if that did nothing but look and count:
    std::uint32_t counter = kNoCounter;  // a register
    std::int32_t by = 0;
    std::vector<trace::Look> looks{};
    bool few = false;  // it ends after a few turns, so all of them are explored
  };
  static constexpr std::uint32_t kNoCounter = ~0u, kSeveral = ~0u - 1;

  struct Frame {
    std::uint32_t return_to;
    std::uint32_t window;
  };

  struct Thread {
    std::int32_t* registers = nullptr;  // of all windows
    symbolic::TermId* terms = nullptr;  // beside each register, or kNoTerm
    Frame* frames = nullptr;
    std::uint32_t pc = 0;
    std::uint32_t window = 0;
    std::uint32_t depth = 0;
    std::uint32_t steps = 0;
    std::uint32_t inputs = 0;
    std::uint32_t spurious = 0;  // wake-ups so far
    std::uint32_t spawned = 0;
    std::uint32_t function = 0;  // it started in
    State state = State::kUnborn;
    // With symbolic inputs only:
    std::uint32_t stage = 0;     // branches that the current instruction has behind it
    symbolic::TermId branch_on;  // the pending branch: a condition, or a number below `outcomes`
    std::uint32_t outcomes = 2;
    std::uint32_t actual = 0;        // where the inputs at hand lead
    symbolic::PathId judged_at = 0;  // the outcomes in the pending step are those of this path ...
    bool judged = false;             // ... if there are any
    bool reads_table = false;        // its next operation is one of those of a TableRead
    // Waiting loops:
    std::vector<Turn> turns{};          // of the loops it is in, innermost last
    std::vector<trace::Look> awaits{};  // sampling: what must change before it can go on
    EventIndex awaits_since = 0;        // ... and where the turn began in which it found that
    std::uint32_t rushed = 0;           // turns it has hurried through; 0: it does not hurry
    bool fenced = false;                // it has passed the fence before its next operation
  };

  // An array that is being read all at once, element by element.
  struct TableRead {
    symbolic::TermId index;
    std::uint32_t size = 0;
    std::uint32_t meant = 0;  // with the inputs at hand
    std::int32_t found = 0;   // there
    std::vector<symbolic::TermId> elements;
  };

  // interpreter.cpp
  void run_once(const trace::Schedule& schedule, trace::Execution& execution);
  void reset();
  void start(ThreadId t, std::uint32_t function);
  void stop(ThreadId t);
  void give_up(ThreadId t);  // an assumption fails
  void fail(ThreadId t, trace::FailureKind kind, std::string message);
  void conclude(trace::Execution& execution, ThreadSet blocked);
  ThreadSet unfinished() const;
  ThreadId child_id(ThreadId parent, std::uint32_t ordinal, std::uint32_t function);
  void name_spawned_threads();

  // local_code.cpp
  void advance(ThreadId t);
  template <bool kSymbolic, bool kCovered>
  void advance_as(ThreadId t);
  std::int32_t random_input(ThreadId t, std::uint32_t ordinal) const;
  bool local_call(ThreadId t, const Instruction& i);
  bool element(ThreadId t, const Instruction& i, std::int32_t* r);
  void announce(ThreadId t, const Instruction& i, const std::int32_t* r);
  bool announce_spawn(ThreadId t, const Instruction& i, trace::Step& step);
  bool announce_join(ThreadId t, const Instruction& i, const std::int32_t* r, trace::Step& step);

  // waiting_loop.cpp
  bool begin_turn(ThreadId t, const Instruction& i);
  void remember_turn(Thread& th, std::uint32_t live);
  std::uint32_t changed_register(const Thread& th, const Turn& turn) const;
  bool hurry_on(ThreadId t);
  bool look_in_a_hurry(Thread& th, const Instruction& i, std::int32_t* r);
  void end_hurry(Thread& th);
  void await(ThreadId t, EventIndex first);
  std::uint64_t state_of(ObjectId object) const;
  bool finds_the_same(const Thread& th) const;
  void go_on_after_changes();
  void report_livelocks();
  bool anybody_counts() const;

  // visible_step.cpp
  void perform(const trace::Decision& d);
  std::int32_t state_read(trace::Step& step) const;
  void perform_weakly(const Instruction& i, std::int32_t* r, trace::Step& step);
  bool settle_exchange(const Instruction& i, std::int32_t* r, trace::Step& step, std::int32_t found);
  void perform_memory(ThreadId t, const Instruction& i, std::int32_t* r, trace::Step& step);
  void perform_lock(ThreadId t, const Instruction& i, std::int32_t* r, trace::Step& step);
  ThreadSet perform_cond(ThreadId t, const Instruction& i, trace::Step& step);
  void refresh_notifiers(std::uint32_t cond);

  // symbolic_code.cpp
  symbolic::PathId start_of(const trace::Schedule& schedule);
  void note_path(const trace::Step& step);
  void note_written_term(const trace::Step& step);
  symbolic::TermId term_of(const Thread& th, std::uint16_t reg);
  // True: the instruction is done. False: the thread stands before a branch of this instruction, or has failed.
  bool symbolic_arithmetic(ThreadId t, const Instruction& i);
  bool symbolic_element(ThreadId t, const Instruction& i);
  bool reads_as_table(const Instruction& i) const;
  void begin_table(ThreadId t, const Instruction& i);
  void read_table(ThreadId t, const Instruction& i);
  bool symbolic_test(ThreadId t, const Instruction& i);
  bool known_operands(ThreadId t, const Instruction& i);
  bool concretised(ThreadId t, std::uint16_t reg);
  std::int32_t given_input(ThreadId t, std::uint32_t ordinal) const;
  std::int32_t symbolic_input(ThreadId t, std::uint32_t ordinal, symbolic::TermId& term);
  // The outcome if the branch has been decided (or is none), else the step is announced and nothing returned.
  void announce_branch(ThreadId t, symbolic::TermId value, std::uint32_t outcomes, std::uint32_t actual,
                       trace::OpKind kind);
  bool judge_outcomes(ThreadId t);
  void perform_branch(ThreadId t, const Instruction& i, const trace::Step& step);
  void after_branch(ThreadId t, const Instruction& i, std::uint32_t outcome);
  void leave_open(const Thread& th, std::string what);
  void move_terms(Thread& th, const Instruction& i, ObjectId object);

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
  std::size_t used_ = 0;                           // threads_[used_...] were not touched by this execution
  std::vector<std::int32_t> values_;               // by object
  std::vector<std::vector<std::int32_t>> stores_;  // with weak memory, by object: all there have been, in their order
  std::vector<ThreadSet> contenders_;              // by lock: whose next operation is to take it
  std::vector<ThreadSet> waiters_;                 // by condition variable: registered and not woken
  std::vector<ThreadSet> notifiers_;               // by condition variable: whose next operation wakes
  std::array<ThreadSet, kMaxThreads> joiners_;     // by thread: whose next operation waits for its end
  ThreadSet enabled_;
  ThreadSet awaiting_;  // blocked in waiting loops, for samples
  bool failed_ = false;
  bool cut_ = false;

  // With symbolic inputs.
  std::unique_ptr<symbolic::InputSpace> space_;
  bool symbolic_ = false;                                   // this execution
  std::vector<symbolic::TermId> value_terms_;               // by object
  std::vector<std::vector<symbolic::TermId>> input_terms_;  // by thread and ordinal
  std::array<TableRead, kMaxThreads> table_reads_;
  std::vector<bool> compared_;  // by object: never holds a term
  bool restart_ = false;
  struct Passed {
    trace::Decision decision;
    symbolic::PathId before;
    symbolic::TermId branch_on;  // kNoTerm: no branch
  };
  std::vector<Passed> passed_;  // the steps of the last execution
  std::map<std::pair<symbolic::PathId, std::uint32_t>, std::int32_t> concretisations_;  // picked, by path and term
  std::vector<ChoiceSet> seen_outcomes_;                                                // by instruction
  std::vector<std::pair<std::uint32_t, std::uint16_t>> first_seen_;  // of these, by the execution under way
  std::map<Offset, std::string> left_open_;
  Coverage coverage_;

  std::vector<std::unique_ptr<std::int32_t[]>> register_files_;
  std::vector<std::unique_ptr<symbolic::TermId[]>> term_files_;
  std::vector<std::unique_ptr<Frame[]>> frame_stacks_;

  // Kept across executions, so that a spawned thread has one id in all of them.
  std::map<std::pair<std::uint16_t, std::uint32_t>, ThreadId> children_;
  std::vector<Birth> births_;        // of ids from code_.threads.size() on
  std::ptrdiff_t early_births_ = 0;  // so many are of the executions that come first
};

// Limits of one thread.
inline constexpr std::uint32_t kRegisterFile = 8192;
inline constexpr std::uint32_t kMaxCalls = 512;
// Local instructions between two visible operations; beyond, the execution is cut.
inline constexpr std::uint32_t kLocalBudget = 10'000'000;
// Loops that count their turns and have no more than so many are explored turn by turn.
inline constexpr std::uint32_t kFewTurns = 8;
// One that has not given up after so many never does, as far as we know.
inline constexpr std::uint32_t kMostTurns = 100'000;

}  // namespace heddle::model
