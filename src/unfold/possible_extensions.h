// Possible extensions (Kähkönen 2015 ch. 4 and 5.6): events that no execution has run yet but that some marking of the
// unfolding enables.
//
// For every thread condition whose next operation is known, and every condition of the object it wants that is
// concurrent with it, the pair is remembered at the object's condition, whether the operation is enabled there or not
// (a held lock). New pairs are found without scanning the net:
//
//   a new thread condition    starts from the object's condition in the marking of the execution at hand and goes to
//                             adjacent ones, up and down the tree of writes, as long as they are concurrent (Thm. 2, 4)
//   a new object condition    only thread conditions paired with the one it replaces come into question (Lemma 5)
//
// Pairs with held locks take the place of Kähkönen's alternative lock conditions, of its temporary unlock events and of
// its list of thread conditions without successors: the tree of writes goes through the held conditions.
//
// From a pair to events: an operation with alternatives has one for each; a write of the place-replicated kind has one
// for each set of reads it can come after.
#pragma once

#include <vector>

#include "unfold/concurrency.h"
#include "unfold/unfolding.h"

namespace heddle::unfold {

class PossibleExtensions {
 public:
  // Events that become possible are appended to `found`.
  PossibleExtensions(Unfolding& unfolding, Concurrency& concurrency, std::vector<EventId>& found)
      : u_(unfolding), co_(concurrency), found_(found) {}

  // `c` has just become known. `source`: an object condition that is concurrent with it, if it wants an object.
  void from_condition(ConditionId c, EventId source);
  // `e` has just been covered.
  void from_write(EventId e);
  void from_read(EventId e);
  // A thread has ended in `c`, which was not known.
  void from_end(ConditionId c);
  // The state of an initial condition has become known.
  void from_state(EventId initial);

  // An event from `c` alone, or with a source and the reads it comes after.
  EventId enter(ConditionId c, EventId source, OpKind kind, std::uint16_t choice, std::uint64_t reads, Past past);
  EventId enter_join(ConditionId c, ConditionId ended);

  std::size_t bytes() const { return members_.size() * sizeof(Member) + index_.bytes(); }

 private:
  void pair(ConditionId c, EventId w);
  void events_of(ConditionId c, EventId w, EventId with_read);
  void writes_of(ConditionId c, EventId w, OpKind kind, std::uint16_t choice, EventId with_read);
  void choose_reads(std::size_t next, std::size_t depth, std::uint64_t reads);
  void from_joiner(ConditionId c);
  void join(ConditionId c, ConditionId ended);
  PastBuffer& level(std::size_t depth);
  bool is_configuration(EventId e);

  Unfolding& u_;
  Concurrency& co_;
  std::vector<EventId>& found_;

  std::vector<std::pair<EventId, EventId>> frontier_;  // of the search in a tree of writes: where to, and where from
  PastBuffer past_, joined_past_, union_;

  // Of the enumeration of read sets.
  struct Wanted {
    ConditionId condition;
    EventId source;
    OpKind kind;
    std::uint16_t choice;
  } wanted_{};
  std::vector<EventId> candidates_, excluded_;
  std::vector<PastBuffer> levels_;

  // Joins: by thread, where it ended, and where others (by thread) wait for that. Lists as BranchIndex has them.
  struct Ends {
    std::uint32_t known = 0;
    ThreadSet joiners;
    std::vector<std::uint32_t> waiting;
  };
  struct Member {
    ConditionId condition;
    std::uint32_t next;
  };
  Ends& ends_of(ThreadId thread);
  void add(std::uint32_t& first, ConditionId c);
  static std::uint64_t name(ThreadId peer, ThreadId joiner) {
    return std::uint64_t{peer.value} << 32 | std::uint64_t{joiner.value} << 16;
  }
  // Those of a list whose last known event of the thread `of` is among the events.
  template <class Events, class F>
  void for_each_knowing(std::uint32_t first, std::uint64_t name, ThreadId of, Events&& events, F&& f) {
    index_.for_each(
        name | of.value, first, [&](std::uint32_t m) { return members_[m].next; },
        [&](std::uint32_t m) { return u_.known(members_[m].condition, of); }, events,
        [&](std::uint32_t m) { f(members_[m].condition); });
  }
  // Those that may be concurrent with what the branch leads to.
  template <class F>
  void for_each_beside(std::uint32_t first, std::uint64_t name, Unfolding::Branch branch, F&& f) {
    for_each_knowing(first, name, branch.of, [&](auto&& each) { u_.for_each_since(kNone, branch, each); }, f);
  }
  std::vector<Ends> ends_;
  std::vector<Member> members_{1};
  BranchIndex index_;
  std::vector<std::uint32_t> events_;
};

}  // namespace heddle::unfold
