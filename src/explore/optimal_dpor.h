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
// * A wake-up out of a timed wait races with the timeout that it took away, though that is no event (trace/withdrawal.h).
// * Alternatives (signal's target, choose) are branches of the same node: for each alternative c of a new step,
//   notdep(e, E).e_c is inserted, as if e raced with itself turned out otherwise.
// * Out of the tree's order (several explorers sharing a frontier) the argument that a weak
//   initial covers v breaks down: the branch that should bring up what v leaves open may have been explored
//   without it. There v ends at e' and only initials count, as in source-DPOR. Every class is still found; an
//   execution may end asleep.
#pragma once

#include "explore/frontier.h"
#include "explore/concolic.h"
#include "explore/strategy.h"
#include "explore/wakeup_tree.h"
#include "trace/happens_before.h"

namespace heddle::explore {

class OptimalDpor : public Strategy {
 public:
  // With a frontier it explores one part of a search that others take part in.
  // `judge` knows which branches on inputs exclude each other; null: the program has no such branches.
  explicit OptimalDpor(Frontier* frontier = nullptr, Feasibility* judge = nullptr)
      : frontier_(frontier), judge_(judge), rest_(frontier ? Rest::kPart : Rest::kWhole) {}
  bool next(Schedule& schedule) override;
  void learn(const Execution& execution) override;

 private:
  struct Node {
    WakeupIndex wakeups = kNoWakeup;   // what is still to be explored from here
    std::uint32_t sleep_begin = 0;     // sleep_[sleep_begin .. sleep_end)
    std::uint32_t sleep_end = 0;
    Frontier::NodeIndex published = Frontier::kNone;   // then wakeups and sleep set are there
  };
  static constexpr std::uint32_t kNoWitness = 0xffffffffu;
  struct Race {
    EventIndex first;
    EventIndex second;    // index; from the size of the execution on: position among the pending
    // Known to be asleep in every execution that begins with as many steps of this one; kNoEvent: not known. The
    // races of the common prefix are met again with every execution, and most of them are settled this way.
    EventIndex asleep_within = kNoEvent;
    // Otherwise: known to be awake in every execution that begins with so many steps; kNoEvent: not known.
    EventIndex awake_within = kNoEvent;
    // The sleeping step that covered v in the last execution, as an index into sleep_. It covers v again if nothing new
    // depends on it.
    std::uint32_t witness = kNoWitness;
    Step reversed;        // the second event as it would happen in place of the first
  };

  // From the first event of a race to the end of what v takes in.
  struct Span {
    EventIndex first;
    EventIndex end;
  };

  bool take_from_frontier(Schedule& schedule);
  void publish();
  void descend(Schedule& schedule, WakeupIndex branch);
  void extend(const Execution& execution);
  void find_races(const Execution& execution);
  void collect_races(const Step& step, EventIndex second);
  void reverse_all(Race& race, Span span);
  void reverse(Span span, const Step& last);
  bool asleep(Span span, const Step& last) const;
  bool asleep(Race& race, Span span) const;
  void insert(Span span, const Step& last);
  // Does the sleeping step q cover notdep(e, E).last, of which the part before step `from` is known to leave it open?
  // And how many steps of the execution tell?
  struct Cover {
    bool covers;
    EventIndex within;
  };
  Cover cover(const Step& q, Span span, const Step& last, EventIndex from) const;
  void branch_on_alternatives(EventIndex i);
  // Branches on inputs (concolic.h).
  // Is step k part of notdep(e, E)? An assumption that could not be met says something about what came before it.
  bool in_notdep(EventIndex e, EventIndex k) const {
    const bool unmet = (steps_[k].op.kind == OpKind::kAssume) & (steps_[k].choice == 0);
    return !(before_.before(e, k) | unmet);
  }
  bool excluded(EventIndex e, const std::vector<const Step*>& v, const Step& branch) const;
  WakeupForest::Admits admission(EventIndex e) const;
  void flip(EventIndex e, const Step& other);

  Frontier* frontier_;
  Feasibility* judge_;
  const Rest rest_;                      // how much of the execution v takes in
  Frontier::Branch taken_;
  bool started_ = false;
  EventIndex fresh_ = 0;
  std::vector<Node> nodes_;
  std::vector<Step> steps_;
  std::vector<Decision> decisions_;      // of steps_
  std::vector<EventIndex> open_choices_; // steps with alternatives
  std::vector<Step> sleep_;
  std::vector<WakeupIndex> planned_;     // siblings left at the nodes after fresh_, as the wakeup tree has them
  WakeupForest forest_;
  HappensBefore before_;
  std::vector<EventIndex> race_starts_;
  std::vector<Race> races_;              // of the whole execution, by second event
  std::vector<const Step*> v_;
};

}  // namespace heddle::explore
