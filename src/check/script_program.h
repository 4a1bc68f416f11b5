// The obvious interpreter of scripts: the slow twin of src/model, and the program under test of the oracle tests.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "check/script.h"
#include "trace/conductor.h"
#include "trace/program.h"

namespace heddle::check {

// What becomes of a thread that makes a turn of a loop in vain?
enum class Waiting : std::uint8_t {
  kStopped,    // it is stopped there, as in the front ends (trace/turn.h)
  kStruckOut,  // by definition: the execution is void if what remains without the turn can be run, to the same state
  kIgnored,    // it makes another one
};

// In which order do threads arrive at the barrier, if there are not more of them than it needs?
enum class Arrivals : std::uint8_t {
  kInTurn,      // in that of their numbers, as in the front ends (docs/adr/0014)
  kAsTheyCome,  // in any: the last one is told to be the serial thread
};

class ScriptProgram : public trace::Program {
 public:
  explicit ScriptProgram(const Script& script, Waiting waiting = Waiting::kStopped,
                         Arrivals arrivals = Arrivals::kInTurn);
  void run(const trace::Schedule& schedule, trace::Execution& execution) override;

  // Shared variables and registers after the last run.
  const std::vector<int>& final_state() const { return final_state_; }

  // Values of input(), by thread and ordinal (from 0); 0 where there is none.
  void set_inputs(std::map<std::pair<int, int>, int> inputs) { inputs_ = std::move(inputs); }
  // After the last run: for each thread the outcomes of its branches on values that depend on inputs, in order.
  const std::map<int, std::string>& branches() const { return branches_; }
  // Arrivals at the barrier in the last execution; step: kNoEvent for a thread that waits for its turn in the end.
  struct Arrival {
    EventIndex step = kNoEvent;
    ThreadId thread;
    int round = 0;
    bool looks = false;  // at whether it is told
    bool told = false;
  };
  const std::vector<Arrival>& arrivals() const { return arrivals_; }
  // Threads with a statement that arrives.
  ThreadSet users() const;
  bool more_than_needed() const { return users().size() > script_.needed; }
  // The last execution without the turns that threads made in vain.
  trace::Execution without_idle_turns() const;
  // With kStruckOut: how often a thread was left in the last execution that could have gone on but would have looked in
  // vain.
  int left_waiting() const { return left_waiting_; }
  // ... and whether it ended because all that could go on would have looked in vain; or else, do they go on?
  bool all_waited() const { return all_waited_; }
  void set_goes_on(bool goes_on) { goes_on_ = goes_on; }
  // ... and whether an assumption failed.
  bool infeasible() const { return infeasible_; }

 private:
  enum class Code : std::uint8_t {
    kRead,
    kWrite,
    kCopy,
    kAdd,
    kCas,
    kLock,
    kUnlock,
    kTryLock,
    kWait,
    kSignal,
    kBroadcast,
    kJumpUnless,
    kAssert,
    kSpawn,
    kJoin,
    kChoose,
    kEnd,
    kInput,
    kJumpUnlessLess,
    kAssume,
    kHead,
    kLook,
    kTakeSpinning,
    kReplace,
    kJump,
    kTimedWait,
    kSemWait,
    kSemTry,
    kSemPost,
    kArrive,
    kLockShared,
    kUnlockShared,
    kLockWhole,
    kUnlockWhole,
    kTryShared,
    kTryWhole,
    kExit,
  };
  struct Instruction {
    Code code;
    int a = 0, b = 0, c = 0;
  };
  using Body = std::vector<Instruction>;
  static constexpr int kInLoop = 1;  // kTimedWait, c: where it has given up and takes the lock again, a turn ends

  // The last to come has to say who is told, and then opens the barrier.
  enum class Telling : std::uint8_t { kNo, kChooses, kOpens };
  enum class Wait : std::uint8_t { kNo, kStays, kLeaves, kRegistered, kParked, kTimed, kWoken };
  struct Thread {
    const Body* body = nullptr;
    std::size_t pc = 0;
    int r = 0;
    bool from_input = false;  // r depends on inputs
    int inputs = 0;           // read so far
    Wait wait = Wait::kNo;
    bool left_a_wait = false;  // for no reason
    bool arrived = false;      // at the barrier, and waits there
    Telling telling = Telling::kNo;
    bool ended = false;
    bool failed = false;
    std::vector<ThreadId> children;  // joinable ones
    bool awaits = false;             // stopped in a waiting loop
    std::size_t steps = 0;
    struct Turn {
      std::size_t pc = 0;
      EventIndex first = 0;  // steps of the execution when it began
      std::size_t own = 0;   // ... of the thread
    };
    std::vector<Turn> turns;  // of the loops that it is in
  };

  std::size_t compile(const std::vector<Stmt>& statements);
  void compile_into(const std::vector<Stmt>& statements, Body& body, int& joins);

  ObjectId variable(int i) const { return ObjectId(static_cast<std::uint32_t>(i)); }
  ObjectId lock(int i) const { return ObjectId(static_cast<std::uint32_t>(script_.variables + i)); }
  ObjectId condition(int i) const {
    return ObjectId(static_cast<std::uint32_t>(script_.variables + script_.locks + i));
  }
  // One semaphore, one barrier, one reader-writer lock, behind all others.
  ObjectId semaphore() const { return condition(script_.conditions); }
  ObjectId barrier() const { return condition(script_.conditions + 1); }
  ObjectId read_write_lock() const { return condition(script_.conditions + 2); }

  void start(ThreadId t, std::size_t body);
  void advance(ThreadId t);
  trace::Step next_step(ThreadId t);
  std::uint64_t state_of(ObjectId object) const;
  bool enabled(ThreadId t);
  void compile_waiting(const Stmt& s, Body& body, int& joins);
  // Waiting loops (script_waiting.cpp).
  bool begin_turn(ThreadId t);
  bool in_vain(ThreadId t, EventIndex first);
  bool finds_changes(ThreadId t, EventIndex first) const;
  bool waits(ThreadId t);
  bool everybody_waits(ThreadSet enabled);
  std::vector<std::uint64_t> shared_state() const;
  ScriptProgram& twin();
  void perform(const trace::Decision& decision);
  void perform_waiting(ThreadId t, const Instruction& in, trace::Step& s);
  // Arrivals (script_barrier.cpp).
  void announce_arrival(ThreadId t, trace::Step& s) const;
  bool perform_arrival(ThreadId t, const Instruction& in, trace::Step& s);  // false: it is not through with it
  void note_arrival(ThreadId t, bool looks);
  ThreadSet to_tell() const;
  void open_barrier(ThreadId t, trace::Step& s, ThreadId told);
  void perform_counting(ThreadId t, const Instruction& in, trace::Step& s);
  bool try_read_write(const Instruction& in, trace::Step& s);
  void finish(trace::Execution& execution, ThreadSet enabled_now);

  Script script_;
  Waiting waiting_;
  std::vector<Body> bodies_;
  trace::Conductor conductor_;
  trace::Execution* execution_ = nullptr;
  std::vector<Thread> threads_;
  std::vector<int> values_;
  std::vector<bool> from_input_;  // by variable
  std::map<std::pair<int, int>, int> inputs_;
  std::map<int, std::string> branches_;
  bool infeasible_ = false;
  std::vector<ThreadId> owners_;
  std::vector<ThreadSet> waiters_;
  std::uint64_t count_ = 0;  // of the semaphore
  bool in_turn_ = false;
  ThreadSet at_barrier_;    // and wait there
  ThreadSet lookers_;       // who asked to be told, in this round
  std::uint64_t turn_ = 0;  // steps of the round that have been done
  int round_ = 0;
  ThreadId told_ = kNoThread;
  std::vector<Arrival> arrivals_;
  std::uint64_t read_write_ = 0;  // readers, or held
  bool exited_ = false;
  bool void_ = false;  // a turn was made in vain
  int left_waiting_ = 0;
  bool all_waited_ = false;
  bool goes_on_ = false;
  std::vector<int> final_state_;

  // Of a run that somebody only wants to see a part of.
  std::size_t most_steps_ = ~std::size_t{0};
  ThreadId watched_ = kNoThread;  // until it comes back to the head of a loop with more than so many steps
  std::size_t watched_from_ = 0;
  bool came_back_ = false;
  std::unique_ptr<ScriptProgram> twin_;
};

}  // namespace heddle::check
