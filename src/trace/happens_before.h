// Happens-before of one execution, with vector clocks, extended and shortened at the end like a stack: depth-first
// search re-uses the common prefix of two executions, so analysing one costs its new suffix only.
//
// clock(e)[t] is one more than the index of the last event of thread t that happens before or is e; hence
// a -> b  iff  clock(b)[thread(a)] > a  (003 Fig. 1, with global indices).
//
// Threads spend most steps on what is theirs, and learn nothing by it. So adjacent events of one thread, of which only the
// first learns something, are a *run* and share a clock; its component of the thread itself is that of the first.
//
// Per object we keep the last write and the reads since, as chains threaded through the events themselves
// (003 Fig. 3: LW and LR); popping an event restores them. Each push also yields the *reversible races* of
// the new event e': events e of other threads such that e and e' are dependent, nothing happens between
// them, and e' could run in e's place. For blocking operations that is not the last dependent event:
// an acquire never runs in place of a release, so its race is with the acquire before it (004 Def. 5).
#pragma once

#include <algorithm>
#include <vector>

#include "base/clock_row.h"
#include "trace/dependence.h"

namespace heddle::trace {

// `dpor` (003 Fig. 2) orders reads of one object too; everybody else lets them commute.
enum class ReadOrder : std::uint8_t { kCommute, kOrdered };

class HappensBefore {
 public:
  explicit HappensBefore(ReadOrder reads = ReadOrder::kCommute) : reads_(reads) {}

  // Forgets the events from index n on.
  void truncate(EventIndex n);

  // Appends an event. Its reversible races (indices of their first events) are appended to `races` if given.
  void push(const Step& step, std::vector<EventIndex>* races = nullptr);

  EventIndex size() const { return static_cast<EventIndex>(events_.size()); }
  // Does a happen before b, or is it b?
  bool before(EventIndex a, EventIndex b) const {
    const std::uint32_t run = events_[b].run;
    return events_[a].run == run ? a <= b : clock(run)[events_[a].thread.index()] > a;
  }

  // Writes the events from `from` > e on that do not happen after e to list[n], list[n + 1], ..., in order; how many are in the
  // list then?
  std::size_t list_not_after(EventIndex e, EventIndex from, std::vector<EventIndex>& list, std::size_t n);

  // What all events from `from` on know: event e < from of thread t happens before all of them if the t-th component is
  // greater than e.
  const std::uint32_t* common_knowledge(EventIndex from);

  // Does event a happen before `next`, a thread's next step, by what the thread knows already?
  bool before_next(EventIndex a, const Step& next) const;

  // The history of an object: kNoEvent when there is none. Reads are those since the last write, latest first;
  // with ReadOrder::kOrdered every access counts as a write.
  EventIndex last_write(ObjectId object) const {
    return object.index() < objects_.size() ? objects_[object.index()].last_write : kNoEvent;
  }
  EventIndex last_read(ObjectId object) const {
    return object.index() < objects_.size() ? objects_[object.index()].last_read : kNoEvent;
  }
  EventIndex previous_write(EventIndex e) const { return events_[e].previous_write; }
  EventIndex previous_read(EventIndex e) const { return events_[e].previous_read; }
  EventIndex last_of(ThreadId t) const {
    return t.index() < threads_.size() ? threads_[t.index()].last : kNoEvent;
  }

 private:
  struct Event {
    ThreadId thread;
    OpKind kind;
    bool writes;              // as far as the object's history is concerned
    ObjectId object;
    std::uint32_t run;
    EventIndex previous_in_thread;
    EventIndex previous_write;
    EventIndex previous_read;
    std::uint64_t value_before;
  };
  struct ObjectHistory {
    EventIndex last_write = kNoEvent;
    EventIndex last_read = kNoEvent;
  };
  struct ThreadHistory {
    EventIndex last = kNoEvent;
    EventIndex waker = kNoEvent;  // the last event that started or woke the thread
  };

  struct Woken {
    EventIndex by;
    ThreadId thread;
    EventIndex waker_before;
  };

  using Races = std::vector<EventIndex>;

  std::uint32_t* clock(std::uint32_t run) { return &clocks_[run * stride_]; }
  const std::uint32_t* clock(std::uint32_t run) const { return &clocks_[run * stride_]; }
  void make_room_for(ThreadId t) {
    if (t.index() >= threads_.size()) [[unlikely]]
      make_more_room_for(t);
  }
  void make_more_room_for(ThreadId t);
  void widen(std::size_t threads);
  bool learns_nothing(const Event& event, const ThreadHistory& thread) const;
  std::uint32_t* start_run(Event& event, const ThreadHistory& thread);
  void join(std::uint32_t* into, EventIndex unknown) {
    clock_row::join(into, clock(events_[unknown].run), stride_);
    clock_row::set(into, events_[unknown].thread.index(), unknown + 1);
  }
  void join_thread(std::uint32_t* into, ThreadId t);
  bool known(const std::uint32_t* clock, EventIndex e) const {
    return clock[events_[e].thread.index()] > e;
  }
  void find_blocking_races(const Event& event, const std::uint32_t* clock, Races& races) const;
  void join_object(const Event& event, std::uint32_t* clock, Races* races);
  void join_everything(ThreadId t, std::uint32_t* clock, Races* races);

  ReadOrder reads_;
  std::size_t stride_ = 4;
  std::vector<Event> events_;
  std::vector<EventIndex> runs_;        // their first events
  std::vector<std::uint32_t> clocks_;   // stride_, a multiple of four, per run, and room for more
  std::vector<std::uint32_t> common_;   // a clock
  std::vector<std::uint32_t> found_;    // runs
  std::vector<ObjectHistory> objects_;
  std::vector<ThreadHistory> threads_;
  std::vector<Woken> wakings_;          // to restore wakers
};

}  // namespace heddle::trace
