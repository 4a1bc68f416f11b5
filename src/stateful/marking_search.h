// Stateful testing over markings (Kähkönen 2015 Fig. 7.5): a search through the reachable markings of the program's
// net, which is learnt on the way. Most transitions are fired in the net alone; the program is run only where the net
// does not know what a thread does next, that is, to show a new local state.
//
// Sleep sets keep the search from going both ways round every pair of independent transitions. Each visited marking is
// kept with the sleep set it was explored with; met again with a smaller one it is explored for what is missing
// (Godefroid 1996, section 5.2). All markings are visited all the same. A thread is asleep with all alternatives of its
// next operation or with none.
//
// Deviation from the source: a move that leads to a local state nobody has been in is not run at once but postponed,
// with its marking and path, until there is nothing else to do. By then executions that were run for others have often
// shown it, and those that are needed begin after a short path, so that most of what they show is up to planned_tail.h.
// The sleep sets of siblings do not mind: they count on the move being made, not on when. (locking 4: 131 executions
// depth first, 82 so.)
//
// A marking is kept as a hash of 128 bits. Two markings with one hash are as likely as a broken machine.
//
// Every reachable marking is visited, so everything that is to be seen in one is: local failures because every local
// state has been run, deadlocks and ends of the process that lose work where they are met. A data race is a marking in
// which two threads are about to make conflicting accesses. Each such thing is run once for each place in the source,
// as only the program knows what it makes of it. Properties of global states are evaluated in each marking
// (marked_states.h), and a state that is looked for is run.
#pragma once

#include <memory>
#include <unordered_set>
#include <vector>

#include "explore/strategy.h"
#include "net/program_net.h"
#include "stateful/marked_states.h"
#include "stateful/path_judge.h"
#include "stateful/planned_tail.h"
#include "stateful/statistics.h"
#include "stateful/visited.h"

namespace heddle::stateful {

using namespace trace;

class MarkingSearch final : public explore::Strategy {
 public:
  explicit MarkingSearch(const StatefulOptions& options);

  bool next(Schedule& schedule) override;
  void learn(const Execution& execution) override;
  explore::Account account() const override { return account_of(statistics()); }
  std::optional<std::uint64_t> states() const override { return visited_.size(); }

  const net::ProgramNet& net() const { return net_; }
  Statistics statistics() const;

 private:
  struct Move {
    Decision decision;
    net::StepId step;
  };
  struct Frame {
    net::Marking marking;
    std::vector<Move> moves;
    std::size_t next = 0;
    ThreadSet asleep;  // and those done
    bool entered = false;
  };

  // A move that is made later, as nobody knows yet what it leads to.
  struct Postponed {
    Move move;
    net::Marking marking;  // before it
    ThreadSet asleep;      // after it
    std::vector<Decision> path;
  };

  bool descend(Schedule& schedule);
  bool take_up(Schedule& schedule);
  bool run_for(const Move& move, const net::Marking& marking, Schedule& schedule);
  bool enter(Frame& frame, Schedule& schedule);
  void collect(Frame& frame);
  void collect(Frame& frame, ThreadId t);
  bool fire(Schedule& schedule);
  bool foreseen(net::StepId step) const;
  void go(const Move& move, const net::Marking& from, ThreadSet asleep);
  Frame& push();
  bool look_for_findings(const Frame& frame, Schedule& schedule);
  bool confirm(std::uint64_t what, Schedule& schedule, std::initializer_list<Decision> more);
  bool independent(const net::Marking& marking, ThreadId a, ThreadId b);
  void write_schedule(Schedule& schedule) const;

  StatefulOptions options_;
  net::ProgramNet net_;
  PathJudge judge_;
  PlannedTail tail_;
  std::unique_ptr<MarkedStates> states_;
  Visited visited_;
  std::vector<Frame> stack_;  // the first depth_ are in use
  std::size_t depth_ = 0;
  std::vector<Decision> path_;
  std::vector<std::vector<Postponed>> postponed_;  // by the length of the path
  std::size_t postponed_moves_ = 0;
  std::vector<Decision> previous_;
  std::unordered_set<std::uint64_t> confirmed_;
  std::unordered_set<std::uint64_t> blocked_;  // sets of blocked local states
  std::unordered_set<std::uint32_t> run_;      // transitions, if none is to be predicted
  enum class Aim : std::uint8_t { kLearn, kConfirm } aim_ = Aim::kLearn;
  net::StepId target_;
  bool begun_ = false;
  Statistics statistics_;
};

}  // namespace heddle::stateful
