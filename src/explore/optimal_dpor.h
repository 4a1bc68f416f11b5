// Optimal-DPOR (Abdulla, Aronis, Jonsson, Sagonas: Source Sets, JACM 2017, Algorithm 2): every class exactly once,
// and no execution is ever started that sleep sets would have to stop.
//
// A reversible race (e, e') of a complete execution E calls for an execution that starts with v = notdep(e, E).e'
// from pre(E, e). Instead of noting one thread to start with (source-DPOR), the whole of v goes into the wakeup
// tree of that node, unless a sleeping step is a weak initial of v: then v's class was explored before.
//
//   E'  = pre(E, e), the path to the node            notdep(e, E) = steps after e that do not happen after it
//   WI  = weak initials: p starts, or is independent of all of, v
//
// Deviations from the paper, and why they are safe:
// * Steps carry what happened (failed or not, who was signalled). For e', which moves to e's place, that is worked
//   out in advance (trace/race.h). So independence is judged on facts, and compare-and-swap, try-lock and
//   signals keep the guarantee.
// * Blocking: an acquire races with the acquire before it, and threads that are left waiting take part in
//   race detection with the operation they wait to do (JACM §10 on locks; 004 Def. 5).
// * Alternatives (signal's target, choose) are branches of the same node: for each alternative c of a new step,
//   notdep(e, E).e_c is inserted, as if e raced with itself turned out otherwise.
// * Orders other than depth-first take the branches of a node out of the tree's order. A branch must then not sleep for
//   what was explored from a sibling to its *right*: sequences were left out of the tree because this branch covers
//   them, and they need not be redundant when the branch is. So a branch inherits the sleepers of its left
//   siblings only. The guarantee becomes every class, a few of them more than once, as 001 observes too.
#pragma once

#include "explore/frontier.h"
#include "explore/search_order.h"
#include "explore/strategy.h"
#include "explore/wakeup_tree.h"
#include "trace/happens_before.h"

namespace heddle::explore {

class OptimalDpor : public Strategy {
 public:
  // With a frontier it explores one part of a search that others take part in (depth-first order only).
  explicit OptimalDpor(SearchOrder order, Frontier* frontier = nullptr)
      : order_(order), frontier_(frontier) {}
  bool next(Schedule& schedule) override;
  void learn(const Execution& execution) override;

 private:
  struct Node {
    WakeupIndex wakeups = kNoWakeup;   // what is still to be explored from here
    std::uint32_t sleep_begin = 0;     // sleep_[sleep_begin .. sleep_end)
    std::uint32_t sleep_end = 0;
    std::uint32_t rank = 0;            // of the branch being explored; 0 for the first
    SiblingCounter siblings;
    Frontier::NodeIndex published = Frontier::kNone;   // then wakeups and sleep set are there
  };
  struct Race {
    EventIndex first;
    EventIndex second;   // index; from the size of the execution on: position among the pending
  };

  bool take_from_frontier(Schedule& schedule);
  void publish();
  void descend(Schedule& schedule, WakeupIndex branch);
  WakeupIndex choose(Node& node, std::size_t depth);
  void extend(const Execution& execution);
  void find_races(const Execution& execution);
  void collect_races(const Step& step, EventIndex second);
  void reverse(EventIndex e, const Step& last);
  bool redundant(EventIndex e, const Step& last) const;
  bool weak_initial(const Step& q, EventIndex e, const Step& last) const;
  void branch_on_alternatives(EventIndex i);

  SearchOrder order_;
  Frontier* frontier_;
  Frontier::Branch taken_;
  bool started_ = false;
  EventIndex fresh_ = 0;
  std::vector<Node> nodes_;
  std::vector<Step> steps_;
  struct Sleeper {
    Step step;
    std::uint32_t rank;                  // 0: inherited, or the first explored
  };
  struct Plan {
    WakeupIndex siblings;                // left at the node
    std::uint32_t rank;                  // of the branch taken from it
  };
  std::vector<Sleeper> sleep_;
  std::vector<Plan> planned_;            // for the nodes after fresh_, as the wakeup tree has them
  WakeupForest forest_;
  HappensBefore before_;
  std::vector<EventIndex> race_starts_;
  std::vector<Race> races_;              // of the whole execution, by second event
  std::vector<const Step*> v_;
};

}  // namespace heddle::explore
