#include "trace/happens_before.h"

#include <algorithm>

#include "trace/object.h"

namespace heddle::trace {

void HappensBefore::truncate(EventIndex n) {
  while (events_.size() > n) {
    const Event& e = events_.back();
    threads_[e.thread.index()].last = e.previous_in_thread;
    if (e.object != kNoObject) objects_[e.object.index()] = {e.previous_write, e.previous_read};
    events_.pop_back();
  }
  runs_.resize(events_.empty() ? 0 : events_.back().run + 1);
  if (!runs_.empty()) runs_.back().end = size();
  cut_ = n;
  if (terminated_ >= n) terminated_ = kNoEvent;
  while (!wakings_.empty() && wakings_.back().by >= n) {
    threads_[wakings_.back().thread.index()].waker = wakings_.back().waker_before;
    wakings_.pop_back();
  }
}

// Whether a run is to be listed is hard to predict, and how long it is. So nothing hangs on it but where the next one
// goes, unless it is a long one.
std::uint32_t HappensBefore::list_not_after(EventIndex e, std::uint32_t first, std::vector<EventIndex>& list,
                                            std::uint32_t n) {
  const auto runs = static_cast<std::uint32_t>(runs_.size());
  if (found_.size() < runs) found_.resize(2 * runs);
  std::uint32_t* found = found_.data();
  const std::size_t stride = stride_, t = events_[e].thread.index();
  std::uint32_t end = std::max(first, summarized_);
  while (end < runs && common_[end * stride + t] <= e) ++end;
  const std::uint32_t* component = clocks_.data() + first * stride + t;
  for (std::uint32_t r = first; r < end; ++r, component += stride) {
    *found = r;
    found += *component <= e;
  }
  for (const std::uint32_t* r = found_.data(); r != found; ++r) {
    const EventIndex begin = runs_[*r].begin;
    const std::uint32_t length = runs_[*r].end - begin;
    if (n + length + 4 > list.size()) [[unlikely]]
      list.resize(2 * (n + length + 4));
    const auto b = static_cast<std::int32_t>(begin);
    clock_row::store(&list[n], clock_row::Four{b, b, b, b} + clock_row::Four{0, 1, 2, 3});
    for (std::uint32_t i = 4; i < length; ++i) list[n + i] = begin + i;
    n += length;
  }
  return n;
}

void HappensBefore::summarize(EventIndex first) {
  const auto runs = static_cast<std::uint32_t>(runs_.size());
  if (common_.size() < clocks_.size()) common_.resize(clocks_.size());
  summarized_ = first < size() ? run_of(first) : runs;
  if (summarized_ == runs) return;
  clock_row::copy(&common_[(runs - 1) * stride_], clock(runs - 1), stride_);
  for (std::uint32_t r = runs - 1; r-- > summarized_;)
    clock_row::meet(&common_[r * stride_], &common_[(r + 1) * stride_], clock(r), stride_);
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
  for (std::size_t r = 0; r < rows; ++r) std::copy_n(&clocks_[r * stride_], stride_, &moved[r * wider]);
  clocks_.swap(moved);
  stride_ = wider;
}

// Clocks grow along the order that they stand for: whatever is known to the thread's event before, to the write whose
// outcome is found, and to reads before a write, is known to e. And nothing is known that has not happened yet.
bool HappensBefore::knows_its_causes(EventIndex e) const {
  const Event& event = events_[e];
  const std::uint32_t* c = clock(event.run);
  for (std::size_t t = 0; t < stride_; ++t)
    if (c[t] > e + 1 || (c[t] == e + 1) != (t == event.thread.index())) return false;
  const auto knows_all_of = [&](EventIndex cause) {
    if (cause == kNoEvent) return true;
    const std::uint32_t* its = clock(events_[cause].run);
    bool all = known(c, cause);
    for (std::size_t t = 0; t < stride_; ++t) all = all && its[t] <= c[t];
    return all;
  };
  if (!knows_all_of(event.previous_in_thread) || !knows_all_of(event.previous_write)) return false;
  for (EventIndex r = event.writes ? event.previous_read : kNoEvent; r != kNoEvent; r = events_[r].previous_read)
    if (!knows_all_of(r)) return false;
  return true;
}

void HappensBefore::end_process(ThreadId t, EventIndex index, std::uint32_t* c, Races* races) {
  join_everything(t, c, races);
  terminated_ = index;
}

void HappensBefore::wake(const Step& step, EventIndex index) {
  woken_by(step).for_each_thread([&](ThreadId t) {
    make_room_for(t);
    wakings_.push_back({index, t, threads_[t.index()].waker});
    threads_[t.index()].waker = index;
  });
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
    if (!known(c, r) && enabled_at(event.kind, events_[r].value_before, event.value_before)) races.push_back(r);
  for (EventIndex w = event.previous_write; w != kNoEvent && !known(c, w); w = events_[w].previous_write) {
    if (!enabled_at(event.kind, events_[w].value_before, event.value_before)) continue;
    races.push_back(w);
    break;
  }
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
