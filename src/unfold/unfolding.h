// The unfolding of a program as it is known so far: events and thread conditions in flat arrays.
//
// Every object (variable, lock, condition variable, semaphore, barrier) is a place that is always marked: its
// condition is named by the event that wrote it last, and every object starts with an event of its own that stands
// for its initial condition. A lock that is held is a condition like any other, one from which acquires are not
// enabled; so locks need no rules of their own and Theorem 4 of 004 holds for them too (docs/unfolding.md).
//
// An event is known by its causal past, and the past by a 64-bit hash of it. Two kinds of past:
//
//   place-replicated (004 ch. 3)   a write comes after all reads of the value it replaces: happens-before itself
//   contextual (004 ch. 5)         a write consumes the condition that others only read: their order is left open
//
// The past of an event is stored as one number per thread, the last event of that thread in it: the events of a
// thread form a tree, so that number stands for a whole branch.
//
// An event is entered when it becomes possible (a possible extension) and *covered* when an execution has run it.
// Ids grow along causality: whatever is before an event has a smaller id.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/bits128.h"
#include "base/random.h"
#include "base/strong_id.h"
#include "trace/dependence.h"
#include "trace/operation.h"

namespace heddle::unfold {

using namespace trace;

enum class Variant : std::uint8_t { kPlaceReplicated, kContextual };

using EventId = StrongId<struct UnfoldedEventTag, std::uint32_t>;
using ConditionId = StrongId<struct ThreadConditionTag, std::uint32_t>;
inline constexpr EventId kNone{0};
inline constexpr ConditionId kNoCondition{0};

// What is known of the thread in a condition.
enum class Status : std::uint8_t {
  kUnknown,   // no execution has shown it yet
  kPending,   // it goes on with `kind`
  kParked,    // it waits to be woken and has no operation of its own
  kEnded,
  kIdle,      // all it does from here on is to join others and to end (unfolding_strategy.h)
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
  OpKind kind = OpKind::kRead;   // undecided: a compare-and-swap is kCas whatever comes of it
  Status status = Status::kUnknown;
};

struct Event {
  std::uint64_t hash = 0;
  std::uint64_t state = 0;         // the object's after a write: value, count, held or free
  ConditionId from;                // the thread condition it consumes
  ConditionId after;               // the one it produces for its own thread, while nobody has woken it
  EventId previous;                // in its thread
  EventId source;                  // the write whose condition it reads or consumes
  ObjectId object = kNoObject;
  ConditionId joined;              // kJoin: the condition in which the other thread ended
  std::uint32_t past = 0;          // offset into the pool of pasts
  EventId first_write;             // covered events that consume this one's condition and hang here ...
  EventId first_read;              // ... or read it: the first thread's; of a read that is such a first one, the next's
  EventId next_sibling;            // these are chained through this
  std::uint32_t users = 0;         // thread conditions that are concurrent with this one's, want it and hang here
  std::uint16_t width = 0;         // threads in the past
  std::uint16_t choice = 0;
  ThreadId thread = kNoThread;     // kNoThread: stands for an initial condition
  OpKind kind = OpKind::kRead;
  bool covered = false;
  bool counted = false;            // by an execution in which no assumption failed

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
  Event& operator[](EventId e) { return events_[e.index()]; }
  const Event& operator[](EventId e) const { return events_[e.index()]; }
  Condition& operator[](ConditionId c) { return conditions_[c.index()]; }
  const Condition& operator[](ConditionId c) const { return conditions_[c.index()]; }
  std::size_t event_ids() const { return events_.size(); }           // ids are below
  std::size_t condition_ids() const { return conditions_.size(); }
  std::uint64_t covered() const { return covered_; }                 // events that an execution has run
  std::size_t threads() const { return threads_; }
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
  // A write of the place-replicated kind goes only with thread conditions whose thread has read `w` as often as the write
  // has seen. There may be thousands of both, and few that go together. So a thread condition hangs at its
  // thread's last read of `w`, a write at the latest read by another thread in its past, and at `w` itself if there is none.
  void add_user(EventId w, ConditionId c);
  template <class F>
  void for_each_read(EventId w, F&& f) const {
    for (EventId first = events_[w.index()].first_read; first != kNone; first = events_[first.index()].first_read)
      for_each_sibling(first, f);
  }
  template <class F>
  void for_each_write(EventId w, F&& f) const {
    for_each_sibling(events_[w.index()].first_write, f);
    if (variant_ == Variant::kPlaceReplicated)
      for_each_read(w, [&](EventId r) { for_each_sibling(events_[r.index()].first_write, f); });
  }
  template <class F>
  void for_each_user(EventId w, F&& f) const {
    for_each_user_at(w, f);
    if (variant_ == Variant::kPlaceReplicated) for_each_read(w, [&](EventId r) { for_each_user_at(r, f); });
  }
  // Those writes that may be concurrent with `c`, and those users that may be concurrent with the write `e`.
  template <class F>
  void for_each_write_beside(EventId w, ConditionId c, F&& f) const {
    const ThreadId thread = conditions_[c.index()].thread;
    const EventId read = last_read(conditions_[c.index()].last, w);
    for_each_sibling(events_[(read == kNone ? w : read).index()].first_write, f);
    if (variant_ != Variant::kPlaceReplicated) return;
    for (EventId first = events_[w.index()].first_read; first != kNone; first = events_[first.index()].first_read)
      if (events_[first.index()].thread != thread)
        for_each_sibling(first, [&](EventId r) { for_each_sibling(events_[r.index()].first_write, f); });
  }
  template <class F>
  void for_each_user_beside(EventId e, F&& f) const {
    const EventId w = events_[e.index()].source;
    for_each_user_at(w, f);
    if (variant_ != Variant::kPlaceReplicated) return;
    for (const std::uint32_t last : past(e))
      if (const EventId read = last_read(EventId(last), w); read != kNone) for_each_user_at(read, f);
  }

  // Side tables for what few conditions and events have.
  std::unordered_map<std::uint32_t, std::uint64_t> expected;      // condition -> what its compare-and-swap expects
  std::unordered_map<std::uint32_t, Bits128> alternatives;        // condition -> of an operation without an object
  std::unordered_map<std::uint32_t, std::uint64_t> branch_values; // condition -> the value its branch is on
  std::unordered_map<std::uint32_t, ThreadSet> sets;              // event -> who waits on the object after it, if
                                                                  // anybody; of an arrival at a barrier: who is woken
  ThreadSet spawned;                                              // threads that are not there from the start

 private:
  struct User {
    ConditionId condition;
    std::uint32_t next;
  };

  template <class F>
  void for_each_sibling(EventId first, F&& f) const {
    for (EventId e = first; e != kNone; e = events_[e.index()].next_sibling) f(e);
  }
  template <class F>
  void for_each_user_at(EventId e, F&& f) const {
    for (std::uint32_t u = events_[e.index()].users; u != 0; u = users_[u].next) f(users_[u].condition);
  }
  // The last read of `w` up to `last`, in the thread of that; none in the contextual variant, where it does not matter.
  EventId last_read(EventId last, EventId w) const;
  void link_read(EventId e, EventId w);
  std::uint64_t condition_hash(ConditionId c) const;
  void rehash();

  Variant variant_;
  std::vector<Event> events_;
  std::vector<Condition> conditions_;
  std::vector<std::uint32_t> pasts_;
  std::vector<User> users_;
  std::vector<std::uint32_t> table_;                               // open addressing: event ids by hash
  std::size_t entered_ = 0;
  std::uint64_t covered_ = 0;
  std::size_t threads_ = 0;
  std::vector<EventId> initials_;                                  // by object
  std::unordered_map<std::uint64_t, ConditionId> woken_;           // conditions with a waker, or of a first event
};

}  // namespace heddle::unfold
