// Testing by unfolding (Kähkönen 2015 Fig. 3.11 and 5.5): the program's unfolding is built from executions, and each
// execution is aimed at an event that is possible but has not been run. When none is left, every reachable local state
// of every thread has been seen: every assertion that can fail has failed. That may take far fewer executions than
// there are classes, because independent parts of the program are varied in the same execution.
//
// What local states do not show is a deadlock; those are then searched for in the finished unfolding
// (deadlock_search.h), and each one is run.
//
// Deviations from the source. An execution does not go on at random after its target: the latest possible
// extensions whose pasts fit the target's are made targets of the same execution. (Going after the nearest uncovered
// events step by step was tried and dropped: it needs more executions than no steering at all where threads are
// tightly coupled.) Possible extensions are kept as events that are not covered yet.
//
// Most programs end with one thread that joins all others. Each way in which they can end would make an event of its
// own, in the end one for each class, though nothing comes after it. So joins are no events where a thread does nothing
// but join and end, and looks at nothing others left (Status::kIdle); such a thread is never what a deadlock is about.
// Only threads that are there from the start: others might be joined themselves.
//
// Branches on inputs are events of their thread with one alternative per outcome; a target whose branches exclude each
// other is unreachable and dropped (section 3.5). Whoever knows the inputs is asked, and keeps the answers.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "explore/strategy.h"
#include "trace/feasibility.h"
#include "unfold/concurrency.h"
#include "unfold/deadlock_search.h"
#include "unfold/global_search.h"
#include "unfold/lost_work.h"
#include "unfold/marking.h"
#include "unfold/possible_extensions.h"
#include "unfold/unfolding.h"
#include "unfold/whole_executions.h"

namespace heddle::unfold {

struct UnfoldingOptions {
  Variant variant = Variant::kPlaceReplicated;
  bool several_targets = true;         // per execution
  bool deadlocks = true;               // look for them, and for ends of the process that lose work
  bool idle_joins = false;             // do without the joins of threads that do nothing after them
  Feasibility* feasibility = nullptr;  // of a program with branches on inputs
  GlobalQuestions global{};            // about global states
};

struct UnfoldingStatistics {
  std::uint64_t events = 0;
  std::uint64_t executions = 0;      // to cover the unfolding
  std::uint64_t confirmations = 0;   // to pass states, end in deadlocks, or by exits that lose work, found in it
  std::uint64_t unconfirmed = 0;     // of these, did not
  std::uint64_t deadlocks = 0;       // distinct sets of blocked conditions that an execution ended in
  std::uint64_t missed_targets = 0;  // executions that did not run what they were meant to
  std::uint64_t infeasible = 0;      // targets dropped because no inputs lead there
  std::uint64_t unforeseen = 0;      // steps that no possible extension stands for: the unfolding may lack events
  std::uint64_t checks = 0;          // of concurrency
  std::uint64_t objects = 0;         // used
  std::size_t bytes = 0;
  bool covered = false;    // no event is left to be run
  bool undecided = false;  // the solver could not decide whether a global state can be reached
};

// What an event takes. An object's initial condition takes as much as an event, and there may be more of those.
inline std::uint64_t bytes_each(const UnfoldingStatistics& s) { return s.bytes / (s.events + s.objects); }

// One sentence for the user; empty if there is nothing to say.
std::string to_text(const UnfoldingStatistics& statistics);

class UnfoldingStrategy final : public explore::Strategy {
 public:
  explicit UnfoldingStrategy(const UnfoldingOptions& options);

  bool next(Schedule& schedule) override;
  void learn(const Execution& execution) override;
  std::uint64_t events() const override { return statistics_.events; }
  explore::Account account() const override;

  const Unfolding& unfolding() const { return u_; }
  UnfoldingStatistics statistics() const;

 private:
  bool next_target(Schedule& schedule);
  bool next_whole(Schedule& schedule);
  bool next_deadlock(Schedule& schedule);
  bool next_lost_work(Schedule& schedule);
  bool next_global(Schedule& schedule);
  Judge judge();
  void note_waking(EventId e, bool timed);
  void reveal_woken(EventId release, EventId waker);
  void add_targets(PastBuffer& joint);
  bool feasible(Past past);
  void write_schedule(const std::vector<EventId>& order, Schedule& schedule);
  EventId learn_step(const Step& step, std::size_t position);
  void learn_end(const Execution& execution);
  void reveal(ConditionId c, const Step& step, bool decided);
  EventId corresponding_event(ConditionId c, const Step& step);
  EventId enter_unforeseen(ConditionId c, const Step& step, std::uint16_t choice);
  void cover(EventId e, const Step& step);
  void note_initial_state(const Step& step);
  void note_status(ConditionId c, bool stopped);
  void note_await(const Execution& execution, const trace::IdleTurn& turn);
  bool more_outcomes(ConditionId c, const Step& step) const;
  void note_counted(const Execution& execution);
  void sign_deadlocks_again();
  void note_deadlock(const Execution& execution);
  void note_exit(const Execution& execution);

  UnfoldingOptions options_;
  Unfolding u_;
  Concurrency co_;
  std::vector<EventId> targets_;
  std::vector<EventId> joins_;  // targets for when there are no others: by then it is known who is idle
  PossibleExtensions extensions_;
  Marking marking_;
  std::unique_ptr<WholeExecutions> whole_;
  std::unique_ptr<DeadlockSearch> deadlocks_;
  std::unique_ptr<LostWorkSearch> lost_work_;
  std::unique_ptr<GlobalSearch> global_;

  struct Wakings {
    std::vector<EventId> releases, wakers;
  };
  std::unordered_map<std::uint32_t, Wakings> waits_;  // by registration
  std::vector<bool> initial_known_;                   // by object: the state of its initial condition
  std::vector<Decision> previous_;                    // of the last execution
  std::vector<EventId> fired_;                        // of the execution at hand, so far
  std::vector<EventId> events_;                       // of its steps; kNone: the step stands for none
  std::vector<std::size_t> idle_from_;                // by thread: its first step that stands for no event
  std::vector<EventId> order_;
  std::vector<EventId> void_;                 // run only where an assumption failed, when last looked at
  std::unordered_set<std::uint32_t> sought_;  // of these: a whole execution was looked for
  std::unordered_set<std::uint64_t> deadlocks_seen_;
  std::vector<std::vector<ConditionId>> blocked_seen_;  // who was blocked in them, until the search for more begins
  std::unordered_set<std::uint64_t> exits_seen_;        // with who was at work then
  std::unordered_set<std::uint32_t> exits_reported_;    // places of exits that were seen to lose work
  enum class Aim : std::uint8_t { kCover, kDeadlock, kLostWork, kGlobal } aim_ = Aim::kCover;
  EventId target_;
  std::uint64_t aimed_deadlock_ = 0;
  std::vector<Step> branches_;  // of the past that is being judged
  bool begun_ = false;
  UnfoldingStatistics statistics_;
};

}  // namespace heddle::unfold
