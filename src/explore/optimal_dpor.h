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
// Depth-first search changes the end of the execution only, so most races have been met before, and a v that is what it
// was asks for nothing new: its node sleeps as before, and its wakeup tree, which only grows meanwhile, leads v down
// the same way. So notdep(e, E) is kept with e, and the races of e are looked at again only if it has changed. Mostly
// the new steps all happen after e, which a look at one clock tells. A second event that is done again, later, makes a
// new race with e; its v mostly begins as the last one did, so what was found out about that is kept with e as well
// (Memory).
//
// Deviations from the paper, and why they are safe:
// * Steps carry what happened (failed or not, who was signalled). For e', which moves to e's place, that is worked
//   out in advance (trace/reversal.h). So independence is judged on facts, and compare-and-swap, try-lock and
//   signals keep the guarantee.
// * Blocking: an acquire races with the acquire before it, and threads that are left waiting take part in
//   race detection with the operation they wait to do (JACM §10 on locks; Kähkönen 2015 Def. 5).
// * The end of the process races with what others were about to do. An attempt among that (a compare-and-swap, a
//   try-lock) takes part as it would have turned out there, which the front end tells (trace/reversal.h).
// * A wake-up out of a timed wait races with the timeout that it took away, though that is no event
//   (trace/withdrawal.h).
// * Alternatives (signal's target, choose) are branches of the same node: for each alternative c of a new step,
//   notdep(e, E).e_c is inserted, as if e raced with itself turned out otherwise.
// * Out of the tree's order (several explorers sharing a frontier) the argument that a weak
//   initial covers v breaks down: the branch that should bring up what v leaves open may have been explored
//   without it. There v ends at e' and only initials count, as in source-DPOR. Every class is still found; an
//   execution may end asleep.
#pragma once

#include <span>

#include "explore/concolic.h"
#include "explore/frontier.h"
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
  bool save(SavedSearch& saved) const override;
  bool resume(const SavedSearch& saved) override;

 private:
  static constexpr std::uint32_t kNone = 0xffffffffu;
  struct Node {
    WakeupIndex wakeups = kNoWakeup;  // what is still to be explored from here
    std::uint32_t sleep_begin = 0;    // sleep_[sleep_begin .. sleep_end); the parent's as long as nobody wakes up
    std::uint32_t sleep_end = 0;
    std::uint32_t start = kNone;  // of the races that the step from here is the first event of
  };
  // An event e that is to be reversed: the first of races, or one with alternatives.
  struct Start {
    EventIndex first = 0;  // e
    EventIndex since = 0;  // the step with which it became one; starts are in this order
    ThreadId thread;
    bool looked_at = false;
    bool changed = false;   // notdep(e, E), with the last execution
    EventIndex listed = 0;  // notdep is right for events below; kNoEvent: for all
    std::uint32_t size = 0;
    std::uint32_t kept = 0;          // so many steps are old
    std::vector<EventIndex> notdep;  // notdep(e, E), and room for more
  };
  struct Race {
    std::uint32_t start;
    EventIndex second;  // index; from the size of the execution on: position among the pending
    // Known to be asleep in every execution that begins with as many steps of this one; kNoEvent: not known.
    EventIndex asleep_within = kNoEvent;
    // Otherwise: known to be awake in every execution that begins with so many steps; kNoEvent: not known.
    EventIndex awake_within = kNoEvent;
    // Known to be in the wakeup tree with every execution that begins with so many steps, if it is not asleep.
    EventIndex inserted_within = kNoEvent;
    // The sleeping step that covered v in the last execution, as an index into sleep_. It covers v again if nothing new
    // depends on it.
    std::uint32_t witness = kNone;
    Step reversed{};  // the second event as it would happen in place of the first
  };
  // What was found out about the last v that was inserted at e. It holds for every v that begins and ends with the same
  // steps, if what is between is of none of the threads in `unless`. They are those of sleeping steps that do not cover
  // v, but not because of what is before its last step: only a step of their own thread could change that.
  struct Memory {
    std::uint64_t made = 0;  // the execution of the last insertion; 0: none
    ThreadId thread;         // of the last step, with what tells on whom it depends
    OpKind kind = OpKind::kRead;
    ObjectId object;
    EventIndex awake_within = kNoEvent;  // v is awake because of so many steps of the execution, and of its last one
    ThreadSet unless;
    WakeupForest::Trail trail;  // where v passed
  };
  // v without its last step.
  struct Beginning {
    EventIndex first;
    std::span<const EventIndex> notdep;
    std::size_t kept;  // so many are old
  };

  bool take_from_frontier(Schedule& schedule);
  void publish();
  bool is_published(EventIndex e) const { return e < published_.size(); }
  void descend(Schedule& schedule, WakeupIndex branch);
  void forget();
  void extend(const Execution& execution);
  void take_in(EventIndex i);
  void inherit_sleep(const Node& parent, const Step& step, Node& node);
  bool look_at_old_starts();
  enum class Ends : bool { kNoRace, kRace };
  void collect_races(const Step& step, EventIndex second, Ends ends = Ends::kRace);
  void add_race(EventIndex e, const Step& step, EventIndex second);
  std::uint32_t start_at(EventIndex e, EventIndex since);
  void update(Start& start);
  bool is_settled(const Race& race) const {
    return race.asleep_within <= fresh_ || (race.awake_within <= fresh_ && race.inserted_within <= fresh_);
  }
  Beginning beginning(const Start& start, EventIndex end) const;
  void reverse_all(Race& race, const Beginning& v);
  void reverse(const Beginning& v, const Step& last);
  bool asleep(const Beginning& v, const Step& last) const;
  bool asleep(Race& race, const Beginning& v, Memory* memory) const;
  Memory* memory_of(const Race& race, const Beginning& v);
  bool is_known_awake(const Memory& memory, const Beginning& v) const;
  std::size_t unchanged_since(const Memory& memory, const Beginning& v) const;
  bool is_up_to_date(const Start& start) const;
  WakeupForest::Insertion insert(const Beginning& v, const Step& last, Memory* memory = nullptr);
  EventIndex inserted_within(const Race& race, const WakeupForest::Insertion& insertion) const;
  // Does the sleeping step q cover v, of which the first `passed` steps are known to leave it open? And how many steps
  // of the execution tell? kNoEvent: only all of them.
  struct Cover {
    bool covers;
    EventIndex within;
  };
  Cover cover(const Step& q, const Beginning& v, const Step& last, std::size_t passed) const;
  void branch_on_alternatives(const Start& start);
  // Branches on inputs (concolic.h).
  // An assumption that could not be met says something about what came before it: it is no part of notdep(e, E).
  static bool unmet(const Step& step) { return step.op.kind == OpKind::kAssume && step.choice == 0; }
  bool excluded(EventIndex e, const std::vector<const Step*>& v, const Step& branch) const;
  WakeupForest::Admits admission(EventIndex e) const;
  void flip(const Start& start, const Step& other);

  Frontier* frontier_;
  Feasibility* judge_;
  const Rest rest_;  // how much of the execution v takes in
  Frontier::Branch taken_;
  bool started_ = false;
  EventIndex fresh_ = 0;
  std::size_t floor_ = 0;  // nodes before it are not ours
  std::vector<Node> nodes_;
  std::vector<Frontier::NodeIndex> published_;  // of the first nodes: wakeups and sleep sets are there
  std::vector<Step> steps_;
  std::vector<Decision> decisions_;  // of steps_
  std::uint64_t executions_ = 0;
  std::vector<std::uint64_t> since_;         // of steps_: with which execution each came. It never falls along the path
  std::vector<Memory> memories_;             // of events, by index
  std::vector<std::uint32_t> open_choices_;  // starts that have alternatives
  std::vector<Step> sleep_;
  std::vector<WakeupIndex> planned_;  // siblings left at the nodes after fresh_, as the wakeup tree has them
  WakeupForest forest_;
  HappensBefore before_;
  std::vector<EventIndex> race_starts_;
  std::vector<Start> starts_;  // the first `live_starts_`, the others keep their storage
  std::uint32_t live_starts_ = 0;
  std::vector<Race> races_;    // of the whole execution, by second event
  std::size_t old_races_ = 0;  // so many races, and starts, were met before
  std::uint32_t old_starts_ = 0;
  bool any_assumption_ = false;
  std::vector<const Step*> v_;
};

}  // namespace heddle::explore
