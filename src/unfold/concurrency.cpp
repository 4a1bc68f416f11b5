#include "unfold/concurrency.h"

#include <algorithm>

namespace heddle::unfold {

Concurrency::Mark& Concurrency::mark(EventId e) {
  Mark& m = marks_[e.index()];
  if (m.stamp != stamp_) m = {stamp_, 0, 0, 0};
  return m;
}

// Splits off what only one of the two has. False: a thread goes different ways in them.
bool Concurrency::separate(Past a, Past b) {
  only_a_.clear();
  only_b_.clear();
  const std::size_t n = std::max(a.size(), b.size());
  for (std::size_t t = 0; t < n; ++t) {
    std::uint32_t x = last_in(a, t), y = last_in(b, t);
    if (x > y) {
      do {
        only_a_.push_back(EventId(x));
        x = u_[EventId(x)].previous.value;
      } while (x > y);
    } else {
      while (y > x) {
        only_b_.push_back(EventId(y));
        y = u_[EventId(y)].previous.value;
      }
    }
    if (x != y) return false;
  }
  return true;
}

// Do events of the two sides compete for a condition?
bool Concurrency::clash() {
  reads_apart_ = false;
  bool ends = false;
  for (const EventId e : only_a_) {
    const Event& event = u_[e];
    ends = ends || event.kind == OpKind::kTerminate;
    if (event.source == kNone) continue;
    Mark& m = mark(event.source);
    if (event.writes()) {
      m.consumer = e.value;
    } else {
      ++m.reads_left;
      reads_apart_ = reads_apart_ || !u_.orders(event.kind);
    }
  }
  for (const EventId e : only_b_) {
    const Event& event = u_[e];
    const bool ordered = u_.orders(event.kind);
    if (ends && event.kind == OpKind::kTerminate) return true;
    if (event.source == kNone) continue;
    const Mark& m = mark(event.source);
    if (event.writes()) {
      if (m.consumer != 0 || (ordered && m.reads_left != 0)) return true;
    } else {
      if (ordered && m.consumer != 0) return true;
      reads_apart_ = reads_apart_ || !ordered;
    }
  }
  return false;
}

void Concurrency::begin_check() {
  ++checks_;
  ++stamp_;
  if (marks_.size() < u_.event_ids()) marks_.resize(u_.event_ids());
}

bool Concurrency::compatible(Past a, Past b) {
  begin_check();
  return separate(a, b) && compatible_apart(a, b);
}

// The rest of the check, once the two sides are known.
bool Concurrency::compatible_apart(Past a, Past b) {
  if (clash()) return false;
  if (!reads_apart_) return true;
  if (only_a_.empty() || only_b_.empty()) return true;
  union_.assign(a.begin(), a.end());
  join_past(union_, b);
  return in_order(union_, nullptr);
}

void Concurrency::fix(Past past) {
  ++fixed_stamp_;
  if (fixed_.size() < u_.event_ids()) fixed_.resize(u_.event_ids(), 0);
  fixed_past_.assign(past.begin(), past.end());
  for (const std::uint32_t last : past)
    for (std::uint32_t e = last; e != 0; e = u_[EventId(e)].previous.value) fixed_[e] = fixed_stamp_;
}

bool Concurrency::separate_fixed(Past b) {
  only_a_.clear();
  only_b_.clear();
  const std::size_t n = std::max(fixed_past_.size(), b.size());
  for (std::size_t t = 0; t < n; ++t) {
    std::uint32_t x = last_in(fixed_past_, t), y = last_in(b, t);
    if (x == y) continue;
    if (fixed(y)) {
      for (; x != y; x = u_[EventId(x)].previous.value) only_a_.push_back(EventId(x));
    } else {
      for (; !fixed(y); y = u_[EventId(y)].previous.value) only_b_.push_back(EventId(y));
      if (x != y) return false;
    }
  }
  return true;
}

bool Concurrency::fits(Past past) {
  begin_check();
  return separate_fixed(past) && compatible_apart(fixed_past_, past);
}

bool Concurrency::fits_object(ConditionId c, EventId w) {
  const Past other = u_.past(w);
  if (!fixed(last_in(other, u_[c].thread.index()))) return false;  // the thread is elsewhere, or has gone on
  begin_check();
  if (!separate_fixed(other) || !compatible_apart(fixed_past_, other)) return false;
  // Nobody may have consumed w's condition; an event that has is not in w's own past.
  for (const EventId e : only_a_)
    if (u_[e].source == w && u_[e].writes()) return false;
  return true;
}

bool Concurrency::fits_condition(EventId e, ConditionId c, Past past) {
  if (!fixed(last_in(past, u_[e].thread.index()))) return false;
  const std::size_t t = u_[c].thread.index();
  return last_in(fixed_past_, t) <= last_in(past, t) && fits(past);
}

bool Concurrency::fits_marking(const std::vector<ConditionId>& chosen, ConditionId d, Past past) {
  for (std::size_t t = 0; t < past.size(); ++t)
    if (chosen[t] != kNoCondition && !fixed(past[t])) return false;  // a chosen thread would have to go on
  const std::size_t t = u_[d].thread.index();
  return last_in(fixed_past_, t) <= last_in(past, t) && fits(past);
}

bool Concurrency::concurrent(ConditionId c, Past past_c, ConditionId d, Past past_d) {
  const std::size_t t = u_[c].thread.index(), s = u_[d].thread.index();
  return last_in(past_d, t) <= last_in(past_c, t) && last_in(past_c, s) <= last_in(past_d, s) &&
         compatible(past_c, past_d);
}

bool Concurrency::linearize(Past past, std::vector<EventId>& order) {
  ++stamp_;
  if (marks_.size() < u_.event_ids()) marks_.resize(u_.event_ids());
  order.clear();
  return in_order(past, &order);
}

// Lists the events and what each condition is used for. False: two events consume the same.
bool Concurrency::collect(Past past) {
  ++stamp_;
  chain_.clear();
  begin_.clear();
  left_.clear();
  for (const std::uint32_t last : past) {
    begin_.push_back(static_cast<std::uint32_t>(chain_.size()));
    for (EventId e(last); e != kNone; e = u_[e].previous) {
      chain_.push_back(e);
      const Event& event = u_[e];
      if (event.source == kNone) continue;
      Mark& m = mark(event.source);
      if (!event.writes()) {
        ++m.reads_left;
      } else {
        if (m.consumer != 0) return false;
        m.consumer = e.value;
      }
    }
    left_.push_back(static_cast<std::uint32_t>(chain_.size()));
  }
  return true;
}

bool Concurrency::can_run(const Event& event) {
  const Condition& from = u_[event.from];
  if (from.waker != kNone && !ran(from.waker)) return false;
  if (event.joined != kNoCondition) {
    const Condition& ended = u_[event.joined];
    return ran(ended.last) && ran(ended.waker);
  }
  if (event.source == kNone) return true;
  if (!ran(event.source)) return false;
  return !event.writes() || mark(event.source).reads_left == 0;
}

bool Concurrency::in_order(Past past, std::vector<EventId>* order) {
  if (!collect(past)) return false;
  std::size_t remaining = chain_.size();
  for (bool progress = true; progress && remaining > 0;) {
    progress = false;
    for (std::size_t t = 0; t < begin_.size(); ++t) {
      while (left_[t] > begin_[t]) {
        const EventId e = chain_[left_[t] - 1];
        const Event& event = u_[e];
        if (!can_run(event) || (event.kind == OpKind::kTerminate && remaining > 1)) break;
        --left_[t];
        --remaining;
        progress = true;
        mark(e).ran = 1;
        if (event.source != kNone && !event.writes()) --mark(event.source).reads_left;
        if (order) order->push_back(e);
      }
    }
  }
  return remaining == 0;
}

}  // namespace heddle::unfold
