#include "unfold/deadlock_search.h"

#include <algorithm>

#include "unfold/outcomes.h"

namespace heddle::unfold {

std::uint64_t deadlock_signature(std::span<const ConditionId> blocked) {
  std::uint64_t sum = 1;
  for (const ConditionId c : blocked) sum += mix(c.value);
  return sum;
}

DeadlockSearch::DeadlockSearch(Unfolding& unfolding, Concurrency& concurrency,
                               const std::unordered_set<std::uint64_t>& seen, Judge judge,
                               std::function<bool()> goes_on)
    : u_(unfolding),
      co_(concurrency),
      marking_(unfolding),
      judge_(std::move(judge)),
      goes_on_(std::move(goes_on)),
      known_(seen),
      ends_(unfolding),
      hopes_(unfolding, &concurrency, ends_) {
  fate_.assign(u_.threads(), Fate::kOpen);
  chosen_.assign(u_.threads(), kNoCondition);
  pasts_.assign(1, PastBuffer(u_.threads(), 0));
  search(0);
}

// `resolved`: how many of blocked_ have what they wait for among the chosen.
void DeadlockSearch::search(std::size_t resolved) {
  constexpr std::uint64_t kOften = 4096;
  if (++looks_ % kOften == 0 && goes_on_ && !goes_on_()) given_up_ = true;
  if (given_up_) return;
  if (resolved < blocked_.size())
    resolve(blocked_[resolved], resolved);
  else
    open_next(resolved);
}

void DeadlockSearch::resolve(ConditionId c, std::size_t resolved) {
  const Condition condition = u_[c];
  if (condition.status == Status::kPending && condition.kind == OpKind::kJoin) {
    const std::size_t peer = condition.peer.index();
    if (fate_[peer] == Fate::kBlocked) return search(resolved + 1);
    if (fate_[peer] == Fate::kEnds) return;
    for (const ConditionId d : beside_chosen(ends_.stuck[peer], peer)) choose(d, resolved + 1);
    return;
  }
  if (!hopes_.waits_for_holder(c)) return search(resolved + 1);
  for (const EventId w : hopes_.blockers(c)) {
    const std::vector<ConditionId>& holders = hopes_.holders(w);
    if (holders.empty()) continue;
    const std::size_t t = u_[w].thread.index();
    if (chosen_[t] != kNoCondition) {
      if (std::find(holders.begin(), holders.end(), chosen_[t]) == holders.end()) continue;
      return search(resolved + 1);  // it is held in this marking, so by one acquire only
    }
    for (const ConditionId d : fitting(u_, co_, chosen_, pasts_.back(), holders)) {
      if (!hopes_.alive(d)) continue;
      if (fate_[t] == Fate::kEnds && !ends(u_[d].status)) continue;
      choose(d, resolved + 1);
    }
  }
}

// Those conditions of a thread that can be marked together with all that is chosen. What they know of the thread that
// was chosen last is in its branch.
std::vector<ConditionId> DeadlockSearch::beside_chosen(const std::vector<ConditionId>& list, std::size_t thread) {
  if (blocked_.empty() || list.empty()) return fitting(u_, co_, chosen_, pasts_.back(), list);
  const Unfolding::Branch branch = u_.branch(blocked_.back());
  const bool stuck = &list == &ends_.stuck[thread];
  std::vector<ConditionId> candidates;
  index_.for_each(
      std::uint64_t{thread} << 32 | std::uint64_t{branch.of.value} << 1 | (stuck ? 1 : 0), 1,
      [&](std::uint32_t m) { return m < list.size() ? m + 1 : 0; },
      [&](std::uint32_t m) { return u_.known(list[m - 1], branch.of); },
      [&](auto&& each) { u_.for_each_since(kNone, branch, each); },
      [&](std::uint32_t m) { candidates.push_back(list[m - 1]); });
  return fitting(u_, co_, chosen_, pasts_.back(), candidates);
}

// No demands are left: some other thread may be blocked too.
void DeadlockSearch::open_next(std::size_t resolved) {
  const auto open = std::find(fate_.begin(), fate_.end(), Fate::kOpen);
  if (open == fate_.end()) return finish();
  const auto t = static_cast<std::size_t>(open - fate_.begin());
  for (const ConditionId d : beside_chosen(ends_.stuck[t], t)) choose(d, resolved);
  fate_[t] = Fate::kEnds;
  search(resolved);
  fate_[t] = Fate::kOpen;
}

void DeadlockSearch::choose(ConditionId d, std::size_t resolved) {
  const std::size_t t = u_[d].thread.index();
  const Fate before = fate_[t];
  const bool blocked = !ends(u_[d].status);
  PastBuffer buffer;
  PastBuffer past = pasts_.back();
  join_past(past, u_.past(d, buffer));
  pasts_.push_back(std::move(past));
  chosen_[t] = d;
  fate_[t] = blocked ? Fate::kBlocked : Fate::kEnds;
  if (blocked) blocked_.push_back(d);
  search(resolved);
  if (blocked) blocked_.pop_back();
  fate_[t] = before;
  chosen_[t] = kNoCondition;
  pasts_.pop_back();
}

void DeadlockSearch::finish() {
  if (blocked_.empty()) return;
  const std::uint64_t signature = deadlock_signature(blocked_);
  if (known_.contains(signature)) return;
  if (complete(0)) known_.insert(signature);
}

// Lets the remaining threads end, in one way that fits.
bool DeadlockSearch::complete(std::size_t thread) {
  while (thread < fate_.size() && (chosen_[thread] != kNoCondition || u_.spawned.contains(thread))) ++thread;
  if (thread == fate_.size()) {
    // Spawned threads come last: whether there are any depends on the others.
    for (thread = 0; thread < fate_.size(); ++thread)
      if (chosen_[thread] == kNoCondition && u_.spawned.contains(thread) && ends_.exists(u_, pasts_.back(), thread))
        break;
    if (thread == fate_.size()) return deadlocked();
  }
  for (const ConditionId d : beside_chosen(ends_.ended[thread], thread)) {
    PastBuffer buffer;
    PastBuffer past = pasts_.back();
    join_past(past, u_.past(d, buffer));
    pasts_.push_back(std::move(past));
    chosen_[thread] = d;
    const bool done = complete(0);
    chosen_[thread] = kNoCondition;
    pasts_.pop_back();
    if (done) return true;
  }
  return false;
}

// Do the turns in vain of threads that wait in loops come last in the order at hand, in the order of threads
// (trace/turn.h)?
bool DeadlockSearch::turns_come_last() const {
  std::unordered_set<std::uint32_t> in_vain;
  // Where the turn is not known (a net keeps none), the execution shows it.
  for (const ConditionId c : blocked_)
    if (const auto turn = u_.turns.find(c.value); turn != u_.turns.end())
      for (const EventId e : turn->second) in_vain.insert(e.value);
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const Event& look = u_[order_[i]];
    if (!in_vain.contains(order_[i].value) || look.source == kNone) continue;
    for (std::size_t k = i + 1; k < order_.size(); ++k) {
      const Event& later = u_[order_[k]];
      if (later.thread == look.thread || later.source == kNone || later.object != look.object) continue;
      if (!dependent_on_one_object(look.kind, later.kind)) continue;
      if (!in_vain.contains(order_[k].value) || later.thread < look.thread) return false;
    }
  }
  return true;
}

// All threads have a condition. Is the marking reachable, and is nobody enabled in it?
bool DeadlockSearch::deadlocked() {
  if (!co_.linearize(pasts_.back(), order_)) return false;
  marking_.reset();
  for (std::size_t t = 0; t < chosen_.size(); ++t)
    if (!u_.spawned.contains(t)) marking_.start(ThreadId(static_cast<std::uint16_t>(t)));
  for (const EventId e : order_) marking_.fire(e);
  for (const ConditionId c : blocked_) {
    const Condition& condition = u_[c];
    if (marking_.find_condition(condition.thread) != c) return false;
    if (condition.status != Status::kPending || condition.object == kNoObject) continue;
    if (outcome(u_, c, marking_.source(condition.object))) return false;
  }
  if (!turns_come_last() || !judge_(pasts_.back())) return false;
  found_.push_back({deadlock_signature(blocked_), pasts_.back()});
  return true;
}

}  // namespace heddle::unfold
