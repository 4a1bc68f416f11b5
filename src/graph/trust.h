// TruSt (Kokologiannakis, Marmanis, Gladstein, Vafeiadis: Truly Stateless, Optimal Dynamic Partial Order Reduction,
// POPL 2022): every execution graph that a memory model allows, each exactly once, without remembering those that were
// there.
//
// An execution is run to its end with every new read reading the newest write of its object and every new write the
// newest one: an ordinary interleaving, which every model allows. Then its events are added to the graph one by one,
// and each asks for what else could have been:
//
//   a read r       may read from any other write of its object that is there       (Visit: forward revisits)
//   a write w      may stand at any other place of mo                              (VisitCOs)
//                  and may be what an earlier read r of its object reads from      (Visit: backward revisits)
//
// A backward revisit r <- w keeps what was there before r and what w depends on, and deletes everything else. Several
// graphs lead to the same result that way. It is taken from only one of them: where r and everything deleted was *added
// maximally*, that is, as the run above adds events, in view of what is kept. So nothing is explored twice, and nothing
// but the graphs on the current path is remembered: a stack of them, one for each backward revisit, with the items
// still to be explored.
//
//   G       graph(), the top of the stack             <_G     stamps: the order in which events were added
//   porf    prefixes                                  next_P  the first thread that can go on (TailKind::kLeftmost)
//
// Deviations from the paper, and why they are safe:
// * An execution is run to its end before its events are added. What an event asks for depends on the events before it
//   only.
// * A read-modify-write is one event. Where two would read from one write, the second one is not run: it only makes its
//   backward revisits, of which those count that delete or change the first (the paper's graphs that are not consistent
//   and still revisit).
// * Operations of locks and condition variables that write whatever they find form a chain in each object; one that is
//   revisited is deleted and done again by its thread later, behind the others. It cannot take its old place again,
//   since what the revisit rests on is settled. (An acquire cannot keep its place in the graph: it would find the lock
//   taken.)
// * An acquire that is still blocked at the end asks for its backward revisits too.
// * A compare-and-swap has two memory orders, and the one that counts is that of what it finds. Where that is not known
//   yet, as it is left by a read-modify-write that has got another source, it makes no difference: such a write is the
//   last one of its object in what a revisit keeps, and to read that last of all is allowed with any order.
// * Choices are events that are maximal with their first alternative.
//
// Several explorers share a frontier: who has nothing left to do is given an item with its graph (parcel.cpp).
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "explore/frontier.h"
#include "explore/strategy.h"
#include "graph/consistency.h"
#include "graph/execution_graph.h"

namespace heddle::graph {

class Trust : public explore::Strategy {
 public:
  // With a frontier it explores one part of a search that others take part in.
  explicit Trust(MemoryModel model, explore::Frontier* frontier = nullptr) : checker_(model), frontier_(frontier) {}
  bool next(Schedule& schedule) override;
  void learn(const Execution& execution) override;
  explore::Account account() const override;
  // Positions of a read and a write that C++ would let it read from, if po | rf might have a cycle; c++20 only.
  const std::vector<std::uint32_t>& load_buffering() const { return load_buffering_; }

 private:
  enum class ItemKind : std::uint8_t {
    kRead,         // `event` reads from `other`
    kPlace,        // `event` is written right behind `other`
    kAlternative,  // `event` takes the alternative `choice`
    kBackward,     // `event` reads from the write `from`, which is placed right behind `other`
  };
  struct Item {
    ItemKind kind;
    EventId event;
    EventId other = kInitial;
    EventId from = kInitial;
    EventId size = 0;  // kBackward: of the graph that asks for it
    std::uint16_t choice = 0;
  };
  struct Level {
    ExecutionGraph graph;
    std::vector<Item> items;
  };

  Level& level() { return levels_[depth_ - 1]; }
  ExecutionGraph& graph() { return level().graph; }
  void ask(const Item& item) { level().items.push_back(item); }

  // next()
  bool apply(const Item& item);
  bool read_from(EventId e, EventId source);
  bool revisit(const Item& item);
  bool is_consistent_with(EventId source, bool value_known, EventId read);
  void plan(Schedule& schedule);
  std::uint16_t choice_of(EventId e);

  // parcel.cpp
  void give_away();
  bool take_parcel();

  // learn()
  void take_in(const Execution& execution);
  void follow(const Execution& execution);
  void meet(const Step& step);
  void add(const Step& step);
  void add_blocked(const Step& step);
  void ask_for_alternatives(EventId e);
  void ask_for_sources(EventId e);
  void ask_for_backward_revisits(EventId w);
  void ask_for_backward_revisit(EventId r, EventId w);
  bool is_maximally_added(EventId e, EventId w);
  bool is_last_before(ObjectSlot slot, EventId write, Stamp stamp, EventId w);
  ObjectSlot slot_of(ObjectId object);

  ConsistencyChecker checker_;
  explore::Frontier* const frontier_;
  std::vector<std::byte> parcel_;
  ExecutionGraph given_;
  bool started_ = false;
  std::vector<std::uint32_t> load_buffering_;
  std::vector<Level> levels_;     // storage of those that are done with is kept
  std::size_t depth_ = 0;         // of these, as many are on the path
  std::vector<EventId> planned_;  // the events of the schedule, in its order
  EventId changed_ = kInitial;    // of these, the read that has got another source
  std::vector<Decision> last_;    // decisions of the last execution
  std::unordered_map<std::uint32_t, ObjectSlot> slots_;
  std::vector<bool> met_;  // by slot: in the execution that is learnt from, so far
  std::vector<bool> kept_, run_;
  std::vector<EventId> renamed_;
};

}  // namespace heddle::graph
