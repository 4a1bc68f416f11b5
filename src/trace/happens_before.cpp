#include "trace/happens_before.h"

#include <algorithm>

namespace heddle::trace {

void HappensBefore::truncate(EventIndex n) {
  while (events_.size() > n) {
    const Event& e = events_.back();
    threads_[e.thread.index()].last = e.previous_in_thread;
    if (e.object != kNoObject) objects_[e.object.index()] = {e.previous_write, e.previous_read};
    events_.pop_back();
  }
  runs_.resize(events_.empty() ? 0 : events_.back().run + 1);
  while (!wakings_.empty() && wakings_.back().by >= n) {
    threads_[wakings_.back().thread.index()].waker = wakings_.back().waker_before;
    wakings_.pop_back();
  }
}

void HappensBefore::push(const Step& step, Races* races) {
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

  if (index > 0 && thread.last == index - 1 && learns_nothing(event, thread)) {
    event.run = events_[index - 1].run;
  } else {
    std::uint32_t* c = start_run(event, thread);
    if (kind == OpKind::kJoin) join_thread(c, step.op.peer);
    // A process that has ended: whatever is still pending races with its end.
    if (races && index > 0 && events_[index - 1].kind == OpKind::kTerminate && !known(c, index - 1))
      races->push_back(index - 1);
    if (kind == OpKind::kTerminate) join_everything(step.thread, c, races);
    if (races && object && blocks(kind)) find_blocking_races(event, c, *races);
    if (object) join_object(event, c, blocks(kind) ? nullptr : races);
  }

  if (object) *object = writes ? ObjectHistory{index, kNoEvent} : ObjectHistory{object->last_write, index};
  thread.last = index;
  if (kind >= OpKind::kWait) {
    woken_by(step).for_each_thread([&](ThreadId t) {
      make_room_for(t);
      wakings_.push_back({index, t, threads_[t.index()].waker});
      threads_[t.index()].waker = index;
    });
  }
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

// Whether a run is one is hard to predict, so at first nothing hangs on it but where the next one goes.
std::size_t HappensBefore::list_not_after(EventIndex e, EventIndex from, std::vector<EventIndex>& list, std::size_t n) {
  if (from >= size()) return n;
  const auto runs = static_cast<std::uint32_t>(runs_.size());
  if (found_.size() < runs) found_.resize(2 * runs);
  std::uint32_t* const found = found_.data();
  std::size_t count = 0;
  const std::uint32_t first = std::max(events_[from].run, events_[e].run + 1);
  const std::uint32_t* component = clock(first) + events_[e].thread.index();
  for (std::uint32_t r = first; r < runs; ++r, component += stride_) {
    found[count] = r;
    count += *component <= e;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t r = found[i];
    const EventIndex end = r + 1 < runs ? runs_[r + 1] : size();
    EventIndex k = std::max(runs_[r], from);
    if (n + end - k > list.size()) list.resize(2 * (n + end - k));
    do list[n++] = k++;
    while (k < end);
  }
  return n;
}

const std::uint32_t* HappensBefore::common_knowledge(EventIndex from) {
  common_.assign(stride_, 0x7fffffff);
  if (from >= size()) return common_.data();
  const auto runs = static_cast<std::uint32_t>(runs_.size());
  for (std::uint32_t r = events_[from].run; r < runs; ++r) {
    const EventIndex previous = events_[runs_[r]].previous_in_thread;
    if (runs_[r] > from && previous != kNoEvent && previous >= from) continue;   // the thread knew less before
    const std::size_t t = events_[runs_[r]].thread.index();
    const std::uint32_t own = common_[t];
    clock_row::meet(common_.data(), clock(r), stride_);
    clock_row::set(common_.data(), t, own);   // it knows all that it has done
  }
  return common_.data();
}

bool HappensBefore::before_next(EventIndex a, const Step& next) const {
  const ThreadId t = next.thread;
  if (t.index() >= threads_.size()) return false;
  const ThreadHistory& h = threads_[t.index()];
  if (events_[a].thread == t) return true;
  return (h.last != kNoEvent && before(a, h.last)) ||
         (h.waker != kNoEvent && next.op.kind != OpKind::kWaitRelease && before(a, h.waker));
}

void HappensBefore::make_more_room_for(ThreadId t) {
  threads_.resize(t.index() + 1);
  if (t.index() >= stride_) widen(t.index() + 1);
}

void HappensBefore::widen(std::size_t threads) {
  const std::size_t wider = clock_row::rounded(threads);
  const std::size_t rows = clocks_.size() / stride_;
  std::vector<std::uint32_t> moved(rows * wider, 0);
  for (std::size_t r = 0; r < rows; ++r)
    std::copy_n(&clocks_[r * stride_], stride_, &moved[r * wider]);
  clocks_.swap(moved);
  stride_ = wider;
}

// The clock begins with what the thread knew after its last event, and what it was told by who woke it.
inline std::uint32_t* HappensBefore::start_run(Event& event, const ThreadHistory& thread) {
  const EventIndex index = size() - 1;
  event.run = static_cast<std::uint32_t>(runs_.size());
  runs_.push_back(index);
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

void HappensBefore::join_thread(std::uint32_t* into, ThreadId t) {
  if (t.index() >= threads_.size()) return;
  const ThreadHistory& h = threads_[t.index()];
  if (h.last != kNoEvent && !known(into, h.last)) join(into, h.last);
  if (h.waker != kNoEvent && !known(into, h.waker)) join(into, h.waker);
}

// Walk back over the object's history to the last place where the operation would have been enabled. The walk
// ends at the first event that the thread knows of already: all earlier ones it knows as well.
void HappensBefore::find_blocking_races(const Event& event, const std::uint32_t* c, Races& races) const {
  for (EventIndex r = event.previous_read; r != kNoEvent; r = events_[r].previous_read)
    if (!known(c, r) && enabled_at(event.kind, events_[r].value_before)) races.push_back(r);
  for (EventIndex w = event.previous_write; w != kNoEvent && !known(c, w); w = events_[w].previous_write) {
    if (!enabled_at(event.kind, events_[w].value_before)) continue;
    races.push_back(w);
    break;
  }
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

void HappensBefore::join_everything(ThreadId t, std::uint32_t* c, Races* races) {
  std::vector<EventIndex> lasts;
  for (std::size_t u = 0; u < threads_.size(); ++u)
    if (u != t.index() && threads_[u].last != kNoEvent) lasts.push_back(threads_[u].last);
  std::sort(lasts.rbegin(), lasts.rend());
  for (EventIndex e : lasts) {
    if (known(c, e)) continue;
    if (races) races->push_back(e);
    join(c, e);
  }
}

}  // namespace heddle::trace
