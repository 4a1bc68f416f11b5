// The unfolding of a program as it is known so far: events and thread conditions in flat arrays.
//
// Every object (variable, lock, condition variable, semaphore, barrier) is a place that is always marked: its
// condition is named by the event that wrote it last, and every object starts with an event of its own that stands
// for its initial condition. A lock that is held is a condition like any other, one from which acquires are not
// enabled; so locks need no rules of their own and Theorem 4 of Kähkönen 2015 holds for them too (docs/unfolding.md).
//
// An event is known by its causal past, and the past by a 64-bit hash of it. Two kinds of past:
//
//   place-replicated (Kähkönen 2015 ch. 3)   a write comes after all reads of the value it replaces: happens-before
//   itself contextual (Kähkönen 2015 ch. 5)         a write consumes the condition that others only read: their order
//   is left open
//
// Failed attempts at a lock or semaphore come before what is done to it next in both. Who polls under a lock goes on
// past a turn in vain if somebody was kept out by it (trace/turn.h), so a condition after it must tell.
//
// The past of an event is stored as one number per thread, the last event of that thread in it: the events of a
// thread form a tree, so that number stands for a whole branch.
//
// An event is entered when it becomes possible (a possible extension) and *covered* when an execution has run it.
// Ids grow along causality: whatever is before an event has a smaller id.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/random.h"
#include "base/small_set.h"
#include "base/strong_id.h"
#include "trace/dependence.h"
#include "trace/operation.h"
#include "unfold/branch_index.h"

namespace heddle::unfold {

using namespace trace;

enum class Variant : std::uint8_t { kPlaceReplicated, kContextual };

using EventId = StrongId<struct UnfoldedEventTag, std::uint32_t>;
using ConditionId = StrongId<struct ThreadConditionTag, std::uint32_t>;
inline constexpr EventId kNone{0};
inline constexpr ConditionId kNoCondition{0};

// What is known of the thread in a condition.
enum class Status : std::uint8_t {
  kUnknown,  // no execution has shown it yet
  kPending,  // it goes on with `kind`
  kParked,   // it waits to be woken and has no operation of its own
  kEnded,
  kIdle,      // all it does from here on is to join others and to end (unfolding_strategy.h)
  kAwaiting,  // it was stopped in a waiting loop (trace/turn.h)
  kStopped,   // it failed or was cut: it holds what it holds and never counts as ended
  kUnwanted,  // it gave up: an assumption failed, and no execution with it counts
};

// A local state of a thread: after its event `last`, and after `waker` if that started or woke it since.
struct Condition {
  EventId last;
  EventId waker;
  ObjectId object = kNoObject;
  std::uint32_t where = 0;
  ThreadId thread;
  ThreadId peer = kNoThread;
  OpKind kind = OpKind::kRead;  // undecided: a compare-and-swap is kCas whatever comes of it
  Status status = Status::kUnknown;
};

struct Event {
  std::uint64_t hash = 0;
  std::uint64_t state = 0;  // the object's after a write: value, count, held or free
  ConditionId from;         // the thread condition it consumes
  ConditionId after;        // the one it produces for its own thread, while nobody has woken it
  EventId previous;         // in its thread
  EventId source;           // the write whose condition it reads or consumes
  ObjectId object = kNoObject;
  ConditionId joined;       // kJoin: the condition in which the other thread ended
  std::uint32_t past = 0;   // offset into the pool of pasts
  EventId first_write;      // covered events that consume this one's condition and hang here ...
  EventId first_read;       // ... or read it: the first thread's; of a read that is such a first one, the next's
  EventId next_sibling;     // those of one thread are chained through this
  EventId next_thread;      // of a write that is a thread's first one: the next thread's
  EventId first_child;      // covered events that follow this one in its thread ...
  EventId next_child;       // ... are chained through this
  std::uint32_t users = 0;  // thread conditions that are concurrent with this one's, want it and hang here
  std::uint16_t width = 0;  // threads in the past
  std::uint16_t choice = 0;
  ThreadId thread = kNoThread;  // kNoThread: stands for an initial condition
  OpKind kind = OpKind::kRead;
  bool covered : 1 = false;
  bool counted : 1 = false;  // by an execution in which no assumption failed

  bool writes() const { return access_of(kind) == Access::kWrites; }
};

// One number per thread: the id of its last event, 0 for none.
using Past = std::span<const std::uint32_t>;
using PastBuffer = std::vector<std::uint32_t>;

inline std::uint32_t last_in(Past past, std::size_t thread) { return thread < past.size() ? past[thread] : 0; }
// Only meaningful for pasts that are compatible: then the deeper event of a thread is the one with the larger id.
void join_past(PastBuffer& into, Past other);

class Unfolding {
 public:
  explicit Unfolding(Variant variant);
  Variant variant() const { return variant_; }

  // Does a write of this kind come after the reads of what it replaces, or a read of this kind before the write?
  bool orders(OpKind kind) const { return variant_ == Variant::kPlaceReplicated || is_on_counted(kind); }
  Event& operator[](EventId e) { return events_[e.index()]; }
  const Event& operator[](EventId e) const { return events_[e.index()]; }
  Condition& operator[](ConditionId c) { return conditions_[c.index()]; }
  const Condition& operator[](ConditionId c) const { return conditions_[c.index()]; }
  std::size_t event_ids() const { return events_.size(); }  // ids are below
  std::size_t condition_ids() const { return conditions_.size(); }
  std::uint64_t covered() const { return covered_; }  // events that an execution has run
  std::size_t threads() const { return threads_; }
  std::size_t objects() const { return objects_; }  // that have been used
  std::size_t bytes() const;

  EventId initial(ObjectId object);
  // The condition of `thread` after `last` and `waker`; entered if new.
  ConditionId condition(ThreadId thread, EventId last, EventId waker);
  ConditionId find_condition(ThreadId thread, EventId last, EventId waker) const;

  // The hash of the event that goes on from a condition. `reads` is the sum over the reads it comes after, for
  // writes of the place-replicated kind.
  std::uint64_t key(ConditionId from, std::uint64_t object_part, std::uint16_t choice) const;
  std::uint64_t object_part(EventId source, std::uint64_t reads) const;
  std::uint64_t join_part(ConditionId ended) const;
  EventId find(std::uint64_t key) const;
  // Enters an event; `past` is that of everything it comes after.
  EventId enter(const Event& event, Past past);
  // An execution has run it. Links it to its source.
  void cover(EventId e);

  Past past(EventId e) const {
    const Event& event = events_[e.index()];
    return {pasts_.data() + event.past, event.width};
  }
  // The past of a condition; `buffer` holds it if it must be computed.
  Past past(ConditionId c, PastBuffer& buffer) const;
  // Is it an idle condition, or one that was taken for another before the idle one above it was known?
  bool idle(ConditionId c) const;
  // Is e in the past?
  bool contains(Past past, EventId e) const;

  // Covered events that read or consume the condition that `w` left, and thread conditions that want it and are
  // concurrent with it.
  //
  // A write of the place-replicated kind goes only with thread conditions whose thread has read `w` as often as the
  // write has seen. There may be thousands of both, and few that go together. So a thread condition hangs at its
  // thread's last read of `w`, a write at the latest read by another thread in its past, and at `w` itself if there is
  // none.
  //
  // What is looked for is a partner for a condition or event of the thread `of` whose branch ends with `last`; most
  // that cannot be are left out, and all of its own thread.
  struct Branch {
    ThreadId of;
    EventId last;
  };
  Branch branch(ConditionId c) const { return {conditions_[c.index()].thread, conditions_[c.index()].last}; }
  Branch branch(EventId e) const { return {events_[e.index()].thread, events_[e.index()].previous}; }

  // The last event of the thread in the past of c.
  std::uint32_t known(ConditionId c, ThreadId of) const {
    const Condition& condition = conditions_[c.index()];
    return std::max(last_in(past(condition.last), of.index()), last_in(past(condition.waker), of.index()));
  }
  // The events of the branch from the last one that `w` knows on: whatever is concurrent with w's condition knows
  // one of these, or less than w.
  template <class F>
  void for_each_since(EventId w, Branch branch, F&& f) const {
    const std::uint32_t before = last_in(past(w), branch.of.index());
    for (std::uint32_t e = branch.last.value; e > before; e = events_[e].previous.value) f(e);
    f(before);
  }

  // The branches that go on from e, itself included, if they have no more than `most` events. False: they have.
  bool events_from(EventId e, std::size_t most, std::vector<std::uint32_t>& found) const;

  void add_user(EventId w, ConditionId c);
  template <class F>
  void for_each_user(EventId w, F&& f) const {
    const auto at = [&](EventId e) {
      for (std::uint32_t first = events_[e.index()].users; first != 0; first = users_[first].next_thread)
        for (std::uint32_t u = first; u != 0; u = users_[u].next) f(users_[u].condition);
    };
    at(w);
    if (!reads_ordered_) return;
    for (EventId first = events_[w.index()].first_read; first != kNone; first = events_[first.index()].first_read)
      for (EventId r = first; r != kNone; r = events_[r.index()].next_sibling) at(r);
  }
  // Users that may be concurrent with the read or write `e` of `w`.
  template <class F>
  void for_each_user_beside_read(EventId e, F&& f) {
    const EventId w = events_[e.index()].source;
    for_each_user_at(w, w, branch(e), f);
    for_each_read(w, branch(e), kNoThread, [&](EventId r) { for_each_user_at(r, w, branch(e), f); });
  }
  template <class F>
  void for_each_user_beside_write(EventId e, F&& f) {
    const EventId w = events_[e.index()].source;
    for_each_user_at(w, w, branch(e), f);
    if (!reads_ordered_) return;
    for (std::size_t t = 0; t < past(e).size(); ++t)  // what f enters may move the pool of pasts
      if (const EventId read = last_read(EventId(past(e)[t]), w); read != kNone)
        for_each_user_at(read, w, branch(e), f);
  }
  // Writes that may be concurrent with `c`.
  template <class F>
  void for_each_write_beside(EventId w, ConditionId c, F&& f) {
    const EventId read = last_read(conditions_[c.index()].last, w);
    for_each_write_at(read == kNone ? w : read, w, branch(c), f);
    if (!reads_ordered_) return;
    for_each_read(w, branch(c), kNoThread, [&](EventId r) { for_each_write_at(r, w, branch(c), f); });
  }
  // Reads that may be concurrent with what the branch leads to, but those of the thread `but`.
  template <class F>
  void for_each_read(EventId w, Branch branch, ThreadId but, F&& f) {
    for (EventId first = events_[w.index()].first_read; first != kNone; first = events_[first.index()].first_read)
      if (const ThreadId thread = events_[first.index()].thread; thread != branch.of && thread != but)
        for_each_sibling(List::kReads, w, first, w, branch, f);
  }
  // Over the reads of `w` in a past, for the hash of a write that comes after them.
  std::uint64_t sum_of_reads(EventId w, Past past) const;

  // Side tables for what few conditions and events have.
  std::unordered_map<std::uint32_t, std::uint64_t> expected;       // condition -> what its compare-and-swap expects
  std::unordered_map<std::uint32_t, std::vector<EventId>> turns;   // awaiting condition -> of its turn in vain
  std::unordered_map<std::uint32_t, SmallSet> alternatives;        // condition -> of an operation without an object
  std::unordered_map<std::uint32_t, std::uint64_t> branch_values;  // condition -> the value its branch is on
  std::unordered_map<std::uint32_t, ThreadSet> sets;               // event -> who waits on the object after it, if
                                                                   // anybody; of an arrival at a barrier: who is woken
  std::unordered_set<std::uint32_t> tries;                         // conditions with a join that nobody waits in
  ThreadSet spawned;                                               // threads that are not there from the start

 private:
  bool is_causally_closed(EventId e) const;
  struct User {
    ConditionId condition;
    std::uint32_t next;         // of the same thread
    std::uint32_t next_thread;  // of the first of a thread: the first of another one
  };

  enum class List : std::uint8_t { kReads, kWrites, kUsers };
  static std::uint64_t name(List list, EventId at, ThreadId thread, ThreadId of) {
    return std::uint64_t{at.value} << 32 | std::uint64_t{thread.value} << 16 | std::uint64_t{of.value} << 2 |
           static_cast<std::uint64_t>(list);
  }
  // The list that starts with `first`, of events that use w's condition and hang at `at`.
  template <class F>
  void for_each_sibling(List list, EventId at, EventId first, EventId w, Branch branch, F&& f) {
    index_.for_each(
        name(list, at, events_[first.index()].thread, branch.of), first.value,
        [&](std::uint32_t e) { return events_[e].next_sibling.value; },
        [&](std::uint32_t e) { return last_in(past(EventId(e)), branch.of.index()); },
        [&](auto&& each) { for_each_since(w, branch, each); }, [&](std::uint32_t e) { f(EventId(e)); });
  }
  template <class F>
  void for_each_write_at(EventId at, EventId w, Branch branch, F&& f) {
    for (EventId first = events_[at.index()].first_write; first != kNone; first = events_[first.index()].next_thread)
      if (events_[first.index()].thread != branch.of) for_each_sibling(List::kWrites, at, first, w, branch, f);
  }
  template <class F>
  void for_each_user_at(EventId at, EventId w, Branch branch, F&& f) {
    const std::uint32_t before = last_in(past(w), branch.of.index());
    for (std::uint32_t first = events_[at.index()].users; first != 0; first = users_[first].next_thread) {
      const ThreadId thread = conditions_[users_[first].condition.index()].thread;
      if (thread == branch.of) continue;
      index_.for_each(
          name(List::kUsers, at, thread, branch.of), first, [&](std::uint32_t u) { return users_[u].next; },
          [&](std::uint32_t u) { return std::max(before, known(users_[u].condition, branch.of)); },
          [&](auto&& each) { for_each_since(w, branch, each); }, [&](std::uint32_t u) { f(users_[u].condition); });
    }
  }
  // The last read of `w` up to `last`, in the thread of that; none where its order does not matter.
  EventId last_read(EventId last, EventId w) const;
  void link_read(EventId e, EventId w);
  void link_write(EventId e, EventId at);
  std::uint64_t condition_hash(ConditionId c) const;
  void rehash();

  Variant variant_;
  bool reads_ordered_;  // some are
  std::vector<Event> events_;
  std::vector<Condition> conditions_;
  std::vector<std::uint32_t> pasts_;
  std::vector<User> users_;
  BranchIndex index_;
  std::vector<std::uint32_t> table_;  // open addressing: event ids by hash
  std::size_t entered_ = 0;
  std::uint64_t covered_ = 0;
  std::size_t threads_ = 0;
  std::size_t objects_ = 0;
  std::vector<EventId> initials_;                         // by object
  std::unordered_map<std::uint64_t, ConditionId> woken_;  // conditions with a waker, or of a first event
};

}  // namespace heddle::unfold
