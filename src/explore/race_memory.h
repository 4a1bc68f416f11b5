// What Optimal-DPOR remembers of races, so that lines 2 to 6 of Algorithm 2 (optimal_dpor.h) cost little.
//
// Taken by its word the algorithm looks at all races of every execution, and for each race (e, e') at the whole of
// v = notdep(e, E).e', step by step. But depth-first search changes the end of the execution only, so most races have
// been met before, and a v that is what it was asks for nothing new: its node sleeps as before, and its wakeup tree,
// which only grows meanwhile, leads v down the same way. Four things are kept:
//
// * Start: an event e with its notdep(e, E). The races of e are looked at again only if notdep(e, E) has changed.
//   Mostly the new steps all happen after e, which a look at one clock tells.
// * Race: where a sleeping step covered v, or where v went into the wakeup tree, and how many steps of the execution
//   told so. Executions that begin with as many of the same steps need not ask: the race is settled.
// * Insight: a second event that is done again, later, makes a new race with e. Its v mostly begins as the last one
//   did, so what was found out about that is kept with e as well.
// * A trail (wakeup_tree.h): where the last v passed in the tree, so that the next one need not begin at its root.
//
// All of it is about cost: with `--check` every answer that is taken from memory is compared with one that is not, and
// the tests compare the search, execution by execution, with one that remembers nothing (check/plain_optimal_dpor.h).
#pragma once

#include <span>
#include <vector>

#include "explore/concolic.h"
#include "explore/search_path.h"
#include "trace/execution.h"
#include "trace/feasibility.h"
#include "trace/happens_before.h"

namespace heddle::explore {

class RaceMemory {
  struct Start;
  struct Race;
  struct Insight;

 public:
  // `judge` knows which branches on inputs exclude each other; null: the program has no such branches.
  RaceMemory(SearchPath& path, trace::Feasibility* judge) : path_(path), judge_(judge) {}

  // The path will go on differently after its first `path.fresh` steps.
  void cut();
  // The execution has come to its end; its steps from `path.fresh` on are in the path.
  void take_in(const trace::Execution& execution);
  // Step i of the path is new (in a search that goes on from where another one stopped).
  void take_in(EventIndex i);

  // A sequence v that e, taken the other way, calls for.
  class Reversal {
   public:
    EventIndex first;                    // e, hence E' = pre(E, e)
    std::span<const EventIndex> notdep;  // v without its last step, which is
    const Step& last;                    // e'

   private:
    friend class RaceMemory;
    Reversal(EventIndex e, std::span<const EventIndex> not_after, const Step& then, std::size_t old = 0,
             Race* of = nullptr, Insight* known = nullptr)
        : first(e), notdep(not_after), last(then), kept(old), race(of), insight(known) {}
    std::size_t kept;  // so many steps of v are old
    Race* race;        // null: nothing is remembered
    Insight* insight;
  };

  // Lines 2 to 4: calls visit(v) for every v that the last execution may have changed something about.
  template <class Visit>
  void for_each_open(Visit visit);
  // Line 5: does a step that sleeps at E' cover v, being a weak initial of it?
  bool asleep(const Reversal& v);
  // Line 6: wut(E') := insert(v, wut(E')).
  void insert(const Reversal& v);

 private:
  static constexpr std::uint32_t kNone = 0xffffffffu;

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
    std::span<const EventIndex> not_after() const { return {notdep.data(), size}; }
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
    // The sleeping step that covered v in the last execution, as an index into the sleep sets. It covers v again if
    // nothing new depends on it.
    std::uint32_t witness = kNone;
    Step reversed{};  // the second event as it would happen in place of the first
  };
  // What was found out about the last v that was inserted at e. It holds for every v that begins and ends with the same
  // steps, if what is between is of none of the threads in `unless`. They are those of sleeping steps that do not cover
  // v, but not because of what is before its last step: only a step of their own thread could change that.
  struct Insight {
    std::uint64_t made = 0;  // the execution of the last insertion; 0: none
    ThreadId thread;         // of the last step, with what tells on whom it depends
    trace::OpKind kind = trace::OpKind::kRead;
    ObjectId object;
    EventIndex awake_within = kNoEvent;  // v is awake because of so many steps of the execution, and of its last
    ThreadSet unless;
    WakeupForest::Trail trail;  // where v passed
  };
  // Does the sleeping step q cover v? And how many steps of the execution tell? kNoEvent: only all of them.
  struct Cover {
    bool covers;
    EventIndex within;
  };
  enum class Ends : bool { kNoRace, kRace };

  void collect_races(const Step& step, EventIndex second, Ends ends = Ends::kRace);
  std::uint32_t start_at(EventIndex e, EventIndex since);

  bool look_at_old_starts();
  void update(Start& start);
  bool is_up_to_date(const Start& start) const;
  bool is_settled(const Race& race) const;
  template <class Visit>
  void reverse(Race& race, const Start& start, Visit& visit);
  template <class Visit>
  void take_alternatives(const Start& start, Visit& visit);
  std::vector<std::vector<EventIndex>> parts_that_allow(const Start& start, const Step& other) const;

  Insight* insight_into(const Race& race, const Start& start);
  std::size_t unchanged_since(const Insight& insight, std::span<const EventIndex> notdep) const;
  bool is_known_awake(const Reversal& v) const;
  Cover cover(const Step& q, const Reversal& v, std::size_t passed = 0) const;
  bool covered(const Reversal& v) const;
  bool covered_with_memory(const Reversal& v) const;
  Cover ask(Race& race, std::uint32_t sleeping, const Reversal& v, std::size_t passed) const;
  void list(const Reversal& v, std::vector<const Step*>& steps) const;
  WakeupForest::Admits admission(EventIndex e) const;
  EventIndex inserted_within(const Race& race, const WakeupForest::Insertion& insertion) const;

  SearchPath& path_;
  trace::Feasibility* const judge_;
  trace::HappensBefore before_;
  std::uint64_t executions_ = 0;
  std::vector<std::uint64_t> since_;         // of steps: with which execution each came. It never falls along the path
  std::vector<std::uint32_t> start_of_;      // of steps: kNone or an index into starts_
  std::vector<Start> starts_;                // the first `live_starts_`, the others keep their storage
  std::vector<Race> races_;                  // of the whole execution, by second event
  std::vector<Insight> insights_;            // of events, by index
  std::vector<std::uint32_t> open_choices_;  // starts that have alternatives
  std::uint32_t live_starts_ = 0;
  std::uint32_t old_starts_ = 0;  // so many starts, and races, were met before
  std::size_t old_races_ = 0;
  bool any_assumption_ = false;
  std::vector<EventIndex> race_starts_;
  std::vector<const Step*> v_;
};

inline bool RaceMemory::is_settled(const Race& race) const {
  const EventIndex fresh = path_.fresh;
  return race.asleep_within <= fresh || (race.awake_within <= fresh && race.inserted_within <= fresh);
}

template <class Visit>
void RaceMemory::for_each_open(Visit visit) {
  before_.summarize(path_.fresh);
  for (std::size_t r = look_at_old_starts() ? 0 : old_races_; r < races_.size(); ++r) {
    Race& race = races_[r];
    Start& start = starts_[race.start];
    if (r < old_races_ && (!start.changed || is_settled(race))) continue;
    update(start);
    reverse(race, start, visit);
  }
  for (const std::uint32_t s : open_choices_) {
    if (!starts_[s].changed) continue;
    update(starts_[s]);
    take_alternatives(starts_[s], visit);
  }
}

// Which alternative e' would take in e's place may be open: a sleeping one does not cover the others.
template <class Visit>
void RaceMemory::reverse(Race& race, const Start& start, Visit& visit) {
  if (!trace::has_alternatives(race.reversed.op.kind) || race.reversed.set.empty()) {
    const Reversal v{start.first, start.not_after(), race.reversed, start.kept, &race, insight_into(race, start)};
    return visit(v);
  }
  Step last = race.reversed;
  last.set.for_each([&](std::size_t choice) {
    last.choice = static_cast<std::uint16_t>(choice);
    visit(Reversal{start.first, start.not_after(), last});
  });
}

template <class Visit>
void RaceMemory::take_alternatives(const Start& start, Visit& visit) {
  Step other = path_.steps[start.first];
  const std::size_t taken = other.choice;
  other.set.for_each([&](std::size_t choice) {
    if (choice == taken) return;
    other.choice = static_cast<std::uint16_t>(choice);
    if (judge_ == nullptr || !is_branch(other)) return visit(Reversal{start.first, start.not_after(), other});
    for (const auto& part : parts_that_allow(start, other)) visit(Reversal{start.first, part, other});
  });
}

}  // namespace heddle::explore
