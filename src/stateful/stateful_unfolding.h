// Stateful testing by unfolding (Kähkönen 2015 Fig. 7.6): the unfolding of the program's net is built, event by event
// in the order of erv_order.h, and cut off behind every event that leads to a marking which an earlier one has led to.
// The net is learnt on the way: the program is run only where the net does not know what a thread does after an event.
//
// The events, their pasts and possible extensions are those of unfold/ in its place-replicated form; here an event is
// *covered* when it joins the prefix, and what it did is read off the net.
//
// Deviations from the source. Whatever follows an event has a larger local configuration, so the prefix grows size by
// size: when the first event of a size is looked at, all of that size are known, and an order is needed only among
// those of them that lead to one marking. All others are neither sorted nor compared. Transitions are ordered by their
// threads, and within one as they became known. An event whose transition nobody
// has run cannot lead to a marking that was seen before; those are run first.
//
// What local states do not show is searched for in the finished prefix, which is complete: deadlocks as in an unfolding
// (deadlock_search.h), ends of the process that lose work (lost_work.h), data races, which are two conditions that can
// be marked together and are about to make conflicting accesses (prefix_findings.cpp), and properties of global states
// (global_search.h): what an event changes of them is read off the net.
#pragma once

#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "explore/strategy.h"
#include "net/program_net.h"
#include "stateful/erv_order.h"
#include "stateful/net_atoms.h"
#include "stateful/path_judge.h"
#include "stateful/planned_tail.h"
#include "stateful/statistics.h"
#include "stateful/visited.h"
#include "unfold/concurrency.h"
#include "unfold/deadlock_search.h"
#include "unfold/global_search.h"
#include "unfold/lost_work.h"
#include "unfold/possible_extensions.h"
#include "unfold/unfolding.h"

namespace heddle::stateful {

using namespace trace;
using unfold::ConditionId;
using unfold::EventId;
using unfold::Past;
using unfold::PastBuffer;

class StatefulUnfolding final : public explore::Strategy {
 public:
  explicit StatefulUnfolding(const StatefulOptions& options);

  bool next(Schedule& schedule) override;
  void learn(const Execution& execution) override;
  explore::Account account() const override { return account_of(statistics()); }
  std::optional<std::uint64_t> states() const override { return visited_.size() + 1; }
  std::uint64_t events() const override { return statistics_.events; }

  const net::ProgramNet& net() const { return net_; }
  const unfold::Unfolding& unfolding() const { return u_; }
  Statistics statistics() const;
  // Of a configuration, for checks: the marking it leads to, and whether there are inputs for it.
  net::Marking::Hash marking_of(Past configuration);
  bool can_be(Past configuration) { return feasible(configuration); }

 private:
  // An event beside what unfold/ knows of it.
  struct Labelled {
    net::StepId step;
    std::uint32_t level = 0;  // length of the longest chain that ends in it
    std::uint32_t depth = 0;  // in its thread
    // What it and those before it in its thread change in the hash of a marking (local_marking).
    net::Marking::Hash changes;
  };

  void begin();
  void sort_in();
  bool grow(Schedule& schedule);
  bool run_unknown(Schedule& schedule);
  bool add_level();
  void add(EventId e);
  void reveal(ConditionId c);
  void reveal_woken(EventId e);
  EventId initial(ObjectId object);
  void note_end_without_steps(ThreadId thread);
  net::StepId step_of(EventId e);
  net::LocalId local_of(ConditionId c);
  net::ValueId value_of(EventId write);
  bool feasible(Past past);
  bool shown(EventId e);
  net::Marking::Hash local_marking(EventId e);
  net::Marking::Hash change_by(EventId e);
  bool comes_before(EventId a, EventId b);
  void configuration(EventId e, std::vector<OrderedEvent>& events);
  void collect_accesses();
  bool next_finding(Schedule& schedule);
  bool next_deadlock(Schedule& schedule);
  bool next_lost_work(Schedule& schedule);
  bool next_race(Schedule& schedule);
  bool next_global(Schedule& schedule);
  void mark_before(EventId e);
  void note_changes(EventId e);
  bool confirm(std::uint64_t what, Past past, Schedule& schedule);
  void write_schedule(Past past, Schedule& schedule);
  void write_order(Schedule& schedule);

  StatefulOptions options_;
  net::ProgramNet net_;
  PathJudge judge_;
  PlannedTail tail_;
  unfold::Unfolding u_;
  unfold::Concurrency co_;
  std::vector<EventId> found_;  // possible extensions that are not sorted in yet
  unfold::PossibleExtensions extensions_;
  std::vector<Labelled> labels_;  // by event
  std::vector<std::vector<EventId>> by_size_;
  std::size_t size_ = 1;       // of the local configurations that are next
  std::size_t looked_at_ = 0;  // of these, when executions are needed
  bool sifted_ = false;        // those without inputs are out
  bool order_counts_ = false;  // how an event changes a marking may depend on what has happened beside it
  Visited visited_;
  struct Wakings {
    std::vector<EventId> releases, wakers;
  };
  std::unordered_map<std::uint32_t, Wakings> waits_;  // by registration
  std::vector<ObjectId> open_objects_;                // whose first state is not known yet
  net::Marking marking_;
  std::vector<OrderedEvent> configuration_a_, configuration_b_;
  std::vector<net::LocalId> locals_;
  std::vector<EventId> order_;
  std::vector<Decision> previous_;
  std::unique_ptr<unfold::DeadlockSearch> deadlocks_;
  std::unique_ptr<unfold::LostWorkSearch> lost_work_;
  std::unique_ptr<unfold::GlobalSearch> global_;
  std::vector<NetAtoms> atoms_;  // by property
  std::unordered_set<std::uint64_t> nothing_seen_;
  std::unordered_set<std::uint32_t> nowhere_;
  std::unordered_set<std::uint64_t> confirmed_;
  std::unordered_set<std::uint64_t> blocked_;  // sets of blocked local states
  std::vector<ConditionId> accesses_;          // conditions that are about to access memory, by object
  std::size_t race_a_ = 0, race_b_ = 0;        // where the search among them goes on
  bool accesses_known_ = false;
  enum class Aim : std::uint8_t { kLearn, kConfirm } aim_ = Aim::kLearn;
  EventId target_;
  bool alone_ = false;  // the last execution was for it only
  bool begun_ = false;
  Statistics statistics_;
};

}  // namespace heddle::stateful
