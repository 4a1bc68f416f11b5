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
  while (!wakings_.empty() && wakings_.back().by >= n) {
    threads_[wakings_.back().thread.index()].waker = wakings_.back().waker_before;
    wakings_.pop_back();
  }
}

void HappensBefore::push(const Step& step, Races* races) {
  make_room_for(step.thread);
  const EventIndex index = size();
  if ((index + 1) * stride_ > clocks_.size()) [[unlikely]]
    clocks_.resize(2 * (index + 1) * stride_);
  const bool writes = access_of(step.op.kind) == Access::kWrites || reads_ == ReadOrder::kOrdered;
  Event& event = events_.emplace_back(step.thread, step.op.kind, writes, step.op.object,
                                      threads_[step.thread.index()].last, kNoEvent, kNoEvent, step.op.before);

  std::uint32_t* c = clock(index);
  start_clock(step, c);
  if (step.op.kind == OpKind::kJoin) join_thread(c, step.op.peer);

  // A process that has ended: whatever is still pending races with its end.
  if (races && index > 0 && events_[index - 1].kind == OpKind::kTerminate && !known(c, index - 1))
    races->push_back(index - 1);

  if (step.op.kind == OpKind::kTerminate) {
    join_everything(step.thread, c, races);
  } else if (event.object != kNoObject) {
    if (event.object.index() >= objects_.size()) objects_.resize(event.object.index() + 64);
    ObjectHistory& history = objects_[event.object.index()];
    event.previous_write = history.last_write;
    event.previous_read = history.last_read;
    if (races && blocks(event.kind)) find_blocking_races(event, c, *races);
    join_object(event, c, races && !blocks(event.kind) ? races : nullptr);
    history = writes ? ObjectHistory{index, kNoEvent} : ObjectHistory{history.last_write, index};
  }

  clock_row::set(c, step.thread.index(), index + 1);
  threads_[step.thread.index()].last = index;
  if (step.op.kind >= OpKind::kWait) {
    woken_by(step).for_each_thread([&](ThreadId t) {
      make_room_for(t);
      wakings_.push_back({index, t, threads_[t.index()].waker});
      threads_[t.index()].waker = index;
    });
  }
}

bool HappensBefore::before_next(EventIndex a, const Step& next) const {
  const ThreadId t = next.thread;
  if (t.index() >= threads_.size()) return false;
  const ThreadHistory& h = threads_[t.index()];
  const std::size_t column = events_[a].thread.index();
  if (events_[a].thread == t) return true;
  return (h.last != kNoEvent && clocks_[h.last * stride_ + column] > a) ||
         (h.waker != kNoEvent && next.op.kind != OpKind::kWaitRelease &&
          clocks_[h.waker * stride_ + column] > a);
}

void HappensBefore::make_more_room_for(ThreadId t) {
  threads_.resize(t.index() + 1);
  if (t.index() >= stride_) widen(t.index() + 1);
}

void HappensBefore::widen(std::size_t threads) {
  std::size_t wider = stride_;
  while (wider < threads) wider *= 2;
  const std::size_t rows = clocks_.size() / stride_;
  std::vector<std::uint32_t> moved(rows * wider, 0);
  for (std::size_t r = 0; r < rows; ++r)
    std::copy_n(&clocks_[r * stride_], stride_, &moved[r * wider]);
  clocks_.swap(moved);
  stride_ = wider;
}

void HappensBefore::start_clock(const Step& step, std::uint32_t* c) {
  const ThreadHistory& h = threads_[step.thread.index()];
  if (h.last == kNoEvent)
    clock_row::clear(c, stride_);
  else
    clock_row::copy(c, clock(h.last), stride_);
  if (h.waker != kNoEvent && step.op.kind != OpKind::kWaitRelease && !known(c, h.waker)) join(c, h.waker);
}

void HappensBefore::join_thread(std::uint32_t* into, ThreadId t) {
  if (t.index() >= threads_.size()) return;
  const ThreadHistory& h = threads_[t.index()];
  if (h.last != kNoEvent) join(into, h.last);
  if (h.waker != kNoEvent) join(into, h.waker);
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
void HappensBefore::join_object(const Event& event, std::uint32_t* c, Races* races) {
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
