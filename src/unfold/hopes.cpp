#include "unfold/hopes.h"

#include <algorithm>

#include "unfold/outcomes.h"

namespace heddle::unfold {
namespace {

bool acquires(OpKind kind) { return kind == OpKind::kAcquire || kind == OpKind::kTryAcquire; }
std::uint64_t turn_key(ObjectId barrier, std::uint64_t turn) { return std::uint64_t{barrier.value} << 32 | turn; }

// Is it the condition of a thread that is about to arrive in turn?
bool arrives(const Condition& c) { return c.status == Status::kPending && c.kind == OpKind::kArriveInTurn; }

template <class Value>
const Value& found_or_empty(const std::unordered_map<std::uint32_t, Value>& map, std::uint32_t key) {
  static const Value kEmpty;
  const auto found = map.find(key);
  return found == map.end() ? kEmpty : found->second;
}

}  // namespace

Hopes::Hopes(const Unfolding& unfolding, Concurrency* concurrency, ThreadEnds& ends)
    : u_(unfolding), co_(concurrency), alive_(unfolding.condition_ids(), false) {
  for (const auto* lists : {&ends.stuck, &ends.ended})
    for (const auto& list : *lists)
      for (const ConditionId c : list) alive_[c.index()] = true;
  index_blockers();
  index_holders(ends);
  index_turns(ends);
  drop_hopeless(ends);
}

const std::vector<EventId>& Hopes::blockers(ConditionId c) const { return found_or_empty(blockers_, c.value); }
const std::vector<ConditionId>& Hopes::holders(EventId e) const { return found_or_empty(holders_, e.value); }

// Where locks are kept by threads that are blocked or have ended: follow each one's branch back.
void Hopes::index_holders(const ThreadEnds& ends) {
  std::vector<ObjectId> settled;
  for (std::size_t t = 0; t < u_.threads(); ++t) {
    for (const auto* list : {&ends.stuck[t], &ends.ended[t]}) {
      for (const ConditionId c : *list) {
        settled.clear();
        for (EventId e = u_[c].last; e != kNone; e = u_[e].previous) {
          const Event& event = u_[e];
          if (!acquires(event.kind) && !releases(event.kind)) continue;
          if (std::find(settled.begin(), settled.end(), event.object) != settled.end()) continue;
          settled.push_back(event.object);
          if (acquires(event.kind)) holders_[e.value].push_back(c);
        }
      }
    }
  }
}

void Hopes::index_blockers() {
  for (std::uint32_t i = 1; i < u_.event_ids(); ++i) {
    const Event& event = u_[EventId(i)];
    if (!event.covered) continue;
    if (event.thread == kNoThread || !acquires(event.kind)) {
      if (event.state != kLockFree) no_one_holder_.insert(event.object.value);
      continue;
    }
    u_.for_each_user(EventId(i), [&](ConditionId c) {
      if (u_[c].kind == OpKind::kAcquire || u_[c].kind == OpKind::kSharedAcquire)
        blockers_[c.value].push_back(EventId(i));
    });
  }
}

void Hopes::index_turns(const ThreadEnds& ends) {
  for (std::uint32_t i = 1; i < u_.condition_ids(); ++i) {
    const Condition& condition = u_[ConditionId(i)];
    if (!arrives(condition)) continue;
    const auto [turn, added] = turns_.try_emplace(turn_key(condition.object, u_.expected.at(i)), condition.thread);
    if (!added && turn->second != condition.thread) turn->second = kNoThread;  // it was initialised anew
  }
  if (turns_.empty()) return;
  for (const auto& list : ends.stuck)
    for (const ConditionId c : list) index_keepers(c, ends);
}

// Who waits for its turn waits for the thread before it, which has not come: it is blocked, at the barrier or
// elsewhere, or has ended. Who has come waits for the next one, which has come, too, or is kept elsewhere: it would be
// its turn.
void Hopes::index_keepers(ConditionId c, const ThreadEnds& ends) {
  const Condition& condition = u_[c];
  const bool comes = arrives(condition);
  const Event& last = u_[condition.last];
  const bool came = condition.status == Status::kParked && last.kind == OpKind::kArriveInTurn;
  if (!comes && !came) return;
  const ObjectId barrier = comes ? condition.object : last.object;
  const std::uint64_t turn = comes ? u_.expected.at(c.value) : last.state;
  std::vector<ConditionId>& keepers = keepers_[c.value];
  if (comes && turn == 0) return;  // it always is
  const auto other = turns_.find(turn_key(barrier, comes ? turn - 1 : turn));
  if (other == turns_.end() || other->second == kNoThread) {
    keepers_.erase(c.value);  // not known: anybody
    return;
  }
  const std::size_t t = other->second.index();
  if (other->second == condition.thread) return;
  PastBuffer own, others;
  const Past past = u_.past(c, own);
  for (const auto* list : {&ends.stuck[t], &ends.ended[t]})
    for (const ConditionId d : *list) {
      if (co_ != nullptr && !co_->concurrent(c, past, d, u_.past(d, others))) continue;
      const bool has_come = u_[d].status == Status::kParked && u_[u_[d].last].kind == OpKind::kArriveInTurn &&
                            u_[u_[d].last].object == barrier;
      const bool is_to_come = arrives(u_[d]) && u_[d].object == barrier;
      if (comes ? !has_come : !is_to_come) keepers.push_back(d);
    }
}

bool Hopes::waits_for_holder(ConditionId c) const {
  const Condition& condition = u_[c];
  return condition.status == Status::kPending && condition.kind == OpKind::kAcquire &&
         !no_one_holder_.contains(condition.object.value);
}

bool Hopes::hopeful(ConditionId c, const ThreadEnds& ends) const {
  const Condition& condition = u_[c];
  const auto alive = [&](ConditionId d) { return alive_[d.index()]; };
  if (condition.status == Status::kPending && condition.kind == OpKind::kJoin) {
    const std::size_t peer = condition.peer.index();
    return peer < ends.stuck.size() && std::any_of(ends.stuck[peer].begin(), ends.stuck[peer].end(), alive);
  }
  if (const auto keepers = keepers_.find(c.value); keepers != keepers_.end())
    return std::any_of(keepers->second.begin(), keepers->second.end(), alive);
  if (!waits_for_holder(c)) return true;
  return std::any_of(blockers(c).begin(), blockers(c).end(),
                     [&](EventId w) { return std::any_of(holders(w).begin(), holders(w).end(), alive); });
}

void Hopes::drop_hopeless(ThreadEnds& ends) {
  for (bool changed = true; changed;) {
    changed = false;
    for (auto& list : ends.stuck) {
      const auto hopeless = std::remove_if(list.begin(), list.end(), [&](ConditionId c) {
        if (hopeful(c, ends)) return false;
        alive_[c.index()] = false;
        return true;
      });
      changed = changed || hopeless != list.end();
      list.erase(hopeless, list.end());
    }
  }
}

}  // namespace heddle::unfold
