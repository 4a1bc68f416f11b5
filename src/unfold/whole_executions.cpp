#include "unfold/whole_executions.h"

#include "unfold/outcomes.h"

namespace heddle::unfold {

WholeExecutions::WholeExecutions(Unfolding& unfolding, Concurrency& concurrency, Judge judge,
                                 std::function<bool()> goes_on)
    : u_(unfolding),
      co_(concurrency),
      marking_(unfolding),
      judge_(std::move(judge)),
      goes_on_(std::move(goes_on)),
      ends_(unfolding),
      final_(ends_.ended) {
  for (std::size_t t = 0; t < final_.size(); ++t)
    for (const auto* others : {&ends_.stopped[t], &ends_.stuck[t]})
      final_[t].insert(final_[t].end(), others->begin(), others->end());
  for (std::uint32_t i = 1; i < u_.event_ids(); ++i)
    if (u_[EventId(i)].covered && u_[EventId(i)].kind == OpKind::kTerminate) exits_.push_back(EventId(i));
}

std::optional<PastBuffer> WholeExecutions::with(EventId e) {
  PastBuffer past(u_.threads(), 0);
  join_past(past, u_.past(e));
  if (extend(past, [&](const PastBuffer& all, bool) { return judge_(all); })) return pasts_.back();
  return std::nullopt;
}

bool WholeExecutions::extend(const PastBuffer& past, const Accept& accept) {
  accept_ = accept;
  chosen_.assign(u_.threads(), kNoCondition);
  pasts_.assign(1, past);
  return ends_process() || complete(final_);
}

bool WholeExecutions::ends_process() {
  for (const EventId exit : exits_) {
    if (!co_.compatible(pasts_.front(), u_.past(exit))) continue;
    PastBuffer joint = pasts_.front();
    join_past(joint, u_.past(exit));
    if (!co_.linearize(joint, order_) || gives_up() || !accept_(joint, false)) continue;
    pasts_.push_back(std::move(joint));
    return true;
  }
  return false;
}

// Somebody waits, and nobody has failed or goes round in vain.
bool WholeExecutions::deadlocked() const {
  bool waits = false;
  for (const ConditionId c : chosen_) {
    const Status status = c == kNoCondition ? Status::kEnded : u_[c].status;
    if (status == Status::kStopped || status == Status::kAwaiting) return false;
    waits = waits || !ends(status);
  }
  return waits;
}

bool WholeExecutions::goes_on() {
  constexpr std::uint64_t kOften = 64;  // each look goes through the final conditions of all threads
  if (++looks_ % kOften == 0 && goes_on_ && !goes_on_()) given_up_ = true;
  return !given_up_;
}

// Of those that are there and have no final condition yet. A thread that is not there may be when others are chosen.
std::size_t WholeExecutions::next_thread(Fits& fits) {
  std::size_t next = chosen_.size();
  for (std::size_t t = 0; t < chosen_.size(); ++t) {
    if (chosen_[t] != kNoCondition || (u_.spawned.contains(t) && !ends_.exists(u_, pasts_.back(), t))) continue;
    fits[t] = fitting(u_, co_, chosen_, pasts_.back(), fits[t]);
    if (next == chosen_.size() || fits[t].size() < fits[next].size()) next = t;
    if (fits[t].empty()) break;
  }
  return next;
}

bool WholeExecutions::complete(const Fits& before) {
  if (!goes_on()) return false;
  Fits fits = before;
  const std::size_t t = next_thread(fits);
  if (t == chosen_.size())
    return co_.linearize(pasts_.back(), order_) && nobody_can_run() && accept_(pasts_.back(), deadlocked());
  for (const ConditionId d : fits[t]) {
    PastBuffer buffer;
    PastBuffer past = pasts_.back();
    join_past(past, u_.past(d, buffer));
    pasts_.push_back(std::move(past));
    chosen_[t] = d;
    if (complete(fits)) return true;
    chosen_[t] = kNoCondition;
    pasts_.pop_back();
    if (given_up_) return false;
  }
  return false;
}

// The marking that order_ leads to.
void WholeExecutions::mark_end() {
  marking_.reset();
  for (std::size_t t = 0; t < chosen_.size(); ++t)
    if (!u_.spawned.contains(t)) marking_.start(ThreadId(static_cast<std::uint16_t>(t)));
  for (const EventId e : order_) marking_.fire(e);
}

// Has an assumption failed there?
bool WholeExecutions::gives_up() {
  mark_end();
  for (std::size_t i = 0; i < marking_.threads(); ++i) {
    const ThreadId t(static_cast<std::uint16_t>(i));
    if (!marking_.started(t)) continue;
    const ConditionId c = marking_.find_condition(t);
    if (c != kNoCondition && u_[c].status == Status::kUnwanted) return true;
  }
  return false;
}

// In that marking, which holds the chosen conditions.
bool WholeExecutions::nobody_can_run() {
  mark_end();
  for (const ConditionId c : chosen_) {
    if (c == kNoCondition) continue;
    const Condition& condition = u_[c];
    if (marking_.find_condition(condition.thread) != c) return false;
    if (condition.status != Status::kPending) continue;
    if (condition.kind == OpKind::kJoin) {
      const ConditionId peer = chosen_[condition.peer.index()];
      if (peer != kNoCondition && ends(u_[peer].status)) return false;
    } else if (outcome(u_, c, marking_.source(condition.object))) {
      return false;
    }
  }
  return true;
}

}  // namespace heddle::unfold
