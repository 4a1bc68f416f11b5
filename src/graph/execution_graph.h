// An execution as a graph: events in program order, which write each read reads from (rf), and the order of the writes
// of each object (mo). Under weak memory that is what an execution is; an interleaving is only one way of running it.
//
// An event reads (a load, a compare-and-swap that fails), writes (a store), or does both at once (a read-modify-write,
// whose place in mo is right behind what it reads). Operations of locks and condition variables are read-modify-writes
// of their object's state, so they form a chain; a try that fails reads. Whatever has no object (a fence, a choice,
// starting and joining threads) is an event without either.
//
// Events are kept in the order in which they were added, which `stamp` tells. The two halves of a read-modify-write
// have stamps of their own: if its read is made to read from another write, its write is added anew, after that one.
//
// Every event has clocks, which depend on the events in its prefix only, and so are computed once:
//
//   prefix          what it cannot do without: the closure of po, rf, the starting and joining of threads and wake-ups
//                   (porf). It includes the event
//   happens before  the same for happens-before of C++20, with the event
//   pending         what an acquire fence behind it would bring in
//   fenced          what the last release fence before it gives to later writes
//   released        of a write: what it releases (C++20: a release sequence goes on through read-modify-writes only)
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "trace/dependence.h"
#include "trace/operation.h"

namespace heddle::graph {

using namespace trace;

using EventId = std::uint32_t;
inline constexpr EventId kInitial = 0xffffffffu;  // as a source: the object's first value
using ObjectSlot = std::uint32_t;
inline constexpr ObjectSlot kNoSlot = 0xffffffffu;
using Stamp = std::uint32_t;

struct Event {
  Operation op;  // as it happened
  ThreadId thread;
  std::uint32_t index = 0;  // within its thread, from 0
  ObjectSlot slot = kNoSlot;
  EventId source = kInitial;                       // if it reads
  MemoryOrder order = MemoryOrder::kSeqCst;        // of the operation; until it is run again, what it will have
  MemoryOrder other_order = MemoryOrder::kSeqCst;  // of a compare-and-swap, had it turned out the other way
  Stamp stamp = 0;                                 // of the read, or of the event if it does not read
  Stamp write_stamp = 0;                           // if it writes
  std::uint16_t choice = 0;                        // the alternative taken
  std::uint32_t where = 0;                         // source position
  SmallSet alternatives;                           // of an operation that has any; who was woken, of a broadcast
  bool reads = false, writes = false;
  bool settled = false;  // what a backward revisit rests on: neither revisited nor deleted again
  bool blocked = false;  // it could not happen yet: kept for the revisits that it asks for

  bool updates() const { return reads && writes; }
};

// What kind of half each operation is.
bool reads(OpKind kind);
bool writes(OpKind kind);
// A read-modify-write of something other than memory that happens whatever state it finds, or does not happen yet.
bool is_link(OpKind kind);
// Would the operation of this event write if it found `value`?
bool would_write(const Event& event, std::uint64_t value);
// A compare-and-swap has one order if it swaps, and another one if it does not.
MemoryOrder order_if(const Event& event, bool it_writes);

// Orders of operations of locks and condition variables are what the standard says of them, not what their step says.
MemoryOrder order_of(const Event& event);

class ExecutionGraph {
 public:
  enum class Clock : std::uint8_t { kPrefix, kHappensBefore, kPending, kFenced, kReleased };
  static constexpr std::size_t kClocks = 5;

  void clear();

  std::size_t size() const { return events_.size(); }
  Event& operator[](EventId e) { return events_[e]; }
  const Event& operator[](EventId e) const { return events_[e]; }
  std::span<const Event> events() const { return events_; }
  std::size_t threads() const { return by_thread_.size(); }
  std::span<const EventId> thread(std::size_t t) const { return by_thread_[t]; }
  std::size_t objects() const { return mo_.size(); }
  // Its writes, without the initial one.
  std::span<const EventId> mo(ObjectSlot slot) const { return mo_[slot]; }
  // Position in mo, from 1; 0 is the initial value.
  std::size_t place_of(EventId write) const;
  EventId last_write(ObjectSlot slot) const { return mo_[slot].empty() ? kInitial : mo_[slot].back(); }

  // The event happens last of all, for now without its halves in rf and mo.
  EventId add(const Step& step, ObjectSlot slot);
  // A read gets its source, and with it its clocks.
  void set_source(EventId read, EventId source);
  // The event as it has turned out.
  void set_step(EventId e, const Step& step);
  void compute_clocks(EventId e);
  void set_place(EventId write, EventId predecessor);
  void remove_from_mo(EventId write);
  Stamp next_stamp() { return next_stamp_++; }
  // What an object holds before its first write, if it has had an event. It need not be the same in every graph: plain
  // memory may have been written before that, unseen.
  std::optional<std::uint64_t> first_value(ObjectSlot slot) const {
    return slot < first_values_.size() ? first_values_[slot] : std::nullopt;
  }
  // What it has left, or what was there at first.
  std::uint64_t value_of(EventId write, ObjectSlot slot) const;
  // The other read-modify-write that has followed this write of the object, if any.
  EventId follower_of(EventId source, EventId than) const;
  void set_first_value(ObjectSlot slot, std::uint64_t value);

  bool in_prefix(EventId e, EventId of) const { return clock(of)[events_[e].thread.index()] > events_[e].index; }
  // Or equal.
  bool happens_before(EventId a, EventId b) const {
    return clock(b, Clock::kHappensBefore)[events_[a].thread.index()] > events_[a].index;
  }
  std::span<const std::uint32_t> clock(EventId e, Clock which = Clock::kPrefix) const {
    return {clocks_.data() + (e * kClocks + static_cast<std::size_t>(which)) * stride_, stride_};
  }

  // The whole from its parts (parcel.cpp); mo and first values follow.
  void assign(std::vector<Event> events, std::vector<std::uint32_t> clocks, Stamp next_stamp);
  void set_mo(ObjectSlot slot, std::span<const EventId> order);
  std::span<const std::uint32_t> clocks() const { return clocks_; }

  // Keeps the first events that were added.
  void cut_to(std::size_t size);
  // Becomes some events of another graph; ids change and `renamed` tells how (kInitial: deleted).
  void become_part_of(const ExecutionGraph& whole, const std::vector<bool>& kept, std::vector<EventId>& renamed);

  // Events of other threads that come before this one because they start, end or wake its thread.
  void edges_into(EventId e, std::vector<EventId>& before) const;

  // Of such an edge: does what came before it happen before the event? Being woken is no synchronization, but at a
  // barrier it is.
  bool synchronizes(EventId before, EventId e) const {
    const Operation& op = events_[before].op;
    return (op.kind == OpKind::kSpawn && op.peer == events_[e].thread) || is_arrival(op.kind) ||
           (events_[e].op.kind == OpKind::kJoin && events_[e].op.peer == events_[before].thread);
  }

  // The events, each behind what is in its prefix, otherwise as they were added.
  void linearize(std::vector<EventId>& order) const;

 private:
  std::uint32_t* row(EventId e, Clock which) {
    return clocks_.data() + (e * kClocks + static_cast<std::size_t>(which)) * stride_;
  }
  void join(std::uint32_t* to, const std::uint32_t* from) const;
  EventId queued_with(const Event& event) const;
  void widen(std::size_t threads);

  std::vector<Event> events_;
  std::vector<std::vector<EventId>> by_thread_;
  std::vector<std::vector<EventId>> mo_;                    // by slot
  std::vector<std::optional<std::uint64_t>> first_values_;  // by slot
  std::vector<std::uint32_t> clocks_;                       // by event, `kClocks` of `stride_` each
  std::size_t stride_ = 0;
  Stamp next_stamp_ = 1;

  // Room to work in, which is nothing of the graph: a search copies graphs all the time, and allocates nothing.
  struct Room {
    std::vector<EventId> before;
    std::vector<std::uint32_t> done;
    std::vector<bool> placed;
    Room() = default;
    Room(const Room&) {}
    Room& operator=(const Room&) { return *this; }
  };
  mutable Room room_;
};

}  // namespace heddle::graph
