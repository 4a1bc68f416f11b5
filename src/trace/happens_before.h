// Happens-before of one execution, with vector clocks, extended and shortened at the end like a stack: depth-first
// search re-uses the common prefix of two executions, so analysing one costs its new suffix only.
//
// clock(e)[t] is one more than the index of the last event of thread t that happens before or is e; hence
// a -> b  iff  clock(b)[thread(a)] > a  (Saarikivi et al. 2012 Fig. 1, with global indices).
//
// Threads spend most steps on what is theirs, and learn nothing by it. So adjacent events of one thread, of which only
// the first learns something, are a *run* and share a clock; its component of the thread itself is that of the first.
//
// Per object we keep the last write and the reads since, as chains threaded through the events themselves
// (Saarikivi et al. 2012 Fig. 3: LW and LR); popping an event restores them. Each push also yields the *reversible
// races* of the new event e': events e of other threads such that e and e' are dependent, nothing happens between them,
// and e' could run in e's place. For blocking operations that is not the last dependent event: an acquire never runs in
// place of a release, so its race is with the acquire before it (Kähkönen 2015 Def. 5).
#pragma once

#include <algorithm>
#include <vector>

#include "base/assert.h"
#include "base/clock_row.h"
#include "trace/dependence.h"

namespace heddle::trace {

// `dpor` (Saarikivi et al. 2012 Fig. 2) orders reads of one object too; everybody else lets them commute.
enum class ReadOrder : std::uint8_t { kCommute, kOrdered };

class HappensBefore {
 public:
  explicit HappensBefore(ReadOrder reads = ReadOrder::kCommute) : reads_(reads) {}

  // Forgets the events from index n on.
  void truncate(EventIndex n);

  // Appends an event. Its reversible races (indices of their first events) are appended to `races` if given.
  void push(const Step& step, std::vector<EventIndex>* races = nullptr);

  void push_all(const std::vector<Step>& steps) {
    for (const Step& step : steps) push(step);
  }

  EventIndex size() const { return static_cast<EventIndex>(events_.size()); }
  // Does a happen before b, or is it b?
  bool before(EventIndex a, EventIndex b) const {
    const std::uint32_t run = events_[b].run;
    return events_[a].run == run ? a <= b : clock(run)[events_[a].thread.index()] > a;
  }

  // Runs are numbered in order. One ends where the execution was cut off by truncate().
  std::uint32_t run_of(EventIndex e) const { return events_[e].run; }
  // What all events of a run and those that follow know: event e before them, of thread t, happens before all of them
  // if the t-th component is greater than e. To be worked out with summarize(), for the events from `first` on.
  void summarize(EventIndex first);
  const std::uint32_t* common_knowledge(std::uint32_t run) const { return &common_[run * stride_]; }

  // Writes the events, of runs from `first` on, that do not happen after e, an event before them, to list[n],
  // list[n + 1], ... How many are in the list then? Summarize first.
  std::uint32_t list_not_after(EventIndex e, std::uint32_t first, std::vector<EventIndex>& list, std::uint32_t n);

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
  EventIndex last_of(ThreadId t) const { return t.index() < threads_.size() ? threads_[t.index()].last : kNoEvent; }

 private:
  struct Run {
    EventIndex begin;
    EventIndex end;
  };
  struct Event {
    ThreadId thread;
    OpKind kind;
    bool writes;  // as far as the object's history is concerned
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
  bool knows_its_causes(EventIndex e) const;
  std::uint32_t* start_run(Event& event, EventIndex index, const ThreadHistory& thread);
  void join(std::uint32_t* into, EventIndex unknown) {
    clock_row::join(into, clock(events_[unknown].run), stride_);
    clock_row::set(into, events_[unknown].thread.index(), unknown + 1);
  }
  void join_thread(std::uint32_t* into, ThreadId t);
  bool known(const std::uint32_t* clock, EventIndex e) const { return clock[events_[e].thread.index()] > e; }
  void find_blocking_races(const Event& event, const std::uint32_t* clock, Races& races) const;
  void join_object(const Event& event, std::uint32_t* clock, Races* races);
  void join_everything(ThreadId t, std::uint32_t* clock, Races* races);
  void end_process(ThreadId t, EventIndex index, std::uint32_t* clock, Races* races);
  void wake(const Step& step, EventIndex index);

  ReadOrder reads_;
  std::size_t stride_ = 4;
  std::vector<Event> events_;
  std::vector<Run> runs_;
  std::vector<std::uint32_t> clocks_;  // stride_, a multiple of four, per run, and room for more
  std::vector<std::uint32_t> common_;  // of what the runs from each on know; right from `summarized_` on
  std::uint32_t summarized_ = 0;
  std::vector<std::uint32_t> found_;  // runs
  EventIndex cut_ = 0;                // where truncate() was last
  EventIndex terminated_ = kNoEvent;  // the event with which the process ended
  std::vector<ObjectHistory> objects_;
  std::vector<ThreadHistory> threads_;
  std::vector<Woken> wakings_;  // to restore wakers
};

// Inline with its parts: every algorithm spends a good deal of its time here.
inline void HappensBefore::push(const Step& step, Races* races) {
  make_room_for(step.thread);
  const EventIndex index = size();
  const OpKind kind = step.op.kind;
  ThreadHistory& thread = threads_[step.thread.index()];
  const bool writes = access_of(kind) == Access::kWrites || reads_ == ReadOrder::kOrdered;
  Event& event = events_.emplace_back(step.thread, kind, writes, step.op.object, 0u, thread.last, kNoEvent, kNoEvent,
                                      step.op.before);
  ObjectHistory* object = nullptr;
  if (event.object != kNoObject && kind != OpKind::kTerminate) {
    if (event.object.index() >= objects_.size()) [[unlikely]]
      objects_.resize(event.object.index() + 64);
    object = &objects_[event.object.index()];
    event.previous_write = object->last_write;
    event.previous_read = object->last_read;
  }

  if (index > 0 && index != cut_ && thread.last == index - 1 && learns_nothing(event, thread)) {
    event.run = events_[index - 1].run;
    runs_.back().end = index + 1;
  } else {
    std::uint32_t* c = start_run(event, index, thread);
    if (kind == OpKind::kJoin) join_thread(c, step.op.peer);
    // A process that has ended: whatever is still pending races with its end.
    if (terminated_ != kNoEvent && races && terminated_ == index - 1 && !known(c, index - 1))
      races->push_back(index - 1);
    if (object) {
      if (races && blocks(kind)) find_blocking_races(event, c, *races);
      join_object(event, c, blocks(kind) ? nullptr : races);
    } else if (kind == OpKind::kTerminate) {
      end_process(step.thread, index, c, races);
    }
    SLOW_INVARIANT(knows_its_causes(index));
  }

  if (object) *object = writes ? ObjectHistory{index, kNoEvent} : ObjectHistory{object->last_write, index};
  thread.last = index;
  if (may_wake(kind)) wake(step, index);
}

// The thread was the last to run, so it knows what it knew then. Is there nothing more to know now?
inline bool HappensBefore::learns_nothing(const Event& event, const ThreadHistory& thread) const {
  if (event.kind == OpKind::kJoin || event.kind == OpKind::kTerminate) return false;
  const std::uint32_t* c = clock(events_[thread.last].run);
  const auto knows = [&](EventIndex e) { return e == kNoEvent || events_[e].thread == event.thread || known(c, e); };
  if (!knows(thread.waker) || !knows(event.previous_write)) return false;
  EventIndex r = event.writes ? event.previous_read : kNoEvent;
  while (r != kNoEvent && knows(r)) r = events_[r].previous_read;
  return r == kNoEvent;
}

// The clock begins with what the thread knew after its last event, and what it was told by who woke it.
[[gnu::always_inline]] inline std::uint32_t* HappensBefore::start_run(Event& event, EventIndex index,
                                                                      const ThreadHistory& thread) {
  event.run = static_cast<std::uint32_t>(runs_.size());
  runs_.push_back({index, index + 1});
  if (runs_.size() * stride_ > clocks_.size()) [[unlikely]]
    clocks_.resize(2 * runs_.size() * stride_);
  std::uint32_t* c = clock(event.run);
  if (thread.last == kNoEvent)
    clock_row::clear(c, stride_);
  else
    clock_row::copy(c, clock(events_[thread.last].run), stride_);
  clock_row::set(c, event.thread.index(), index + 1);
  if (thread.waker != kNoEvent && event.kind != OpKind::kWaitRelease && !known(c, thread.waker)) join(c, thread.waker);
  return c;
}

// Latest first: an event that is not known when its turn comes is an immediate predecessor, because whatever
// could stand between it and the new event has been joined before it.
inline void HappensBefore::join_object(const Event& event, std::uint32_t* c, Races* races) {
  const auto meet = [&](EventIndex e) {
    if (known(c, e)) return;
    if (races) races->push_back(e);
    join(c, e);
  };
  if (event.writes)
    for (EventIndex r = event.previous_read; r != kNoEvent; r = events_[r].previous_read) meet(r);
  if (event.previous_write != kNoEvent) meet(event.previous_write);
}

}  // namespace heddle::trace
