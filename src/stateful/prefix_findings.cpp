// What is searched for in a finished prefix. Each thing found is run once for each place in the source.
#include <algorithm>

#include "stateful/stateful_unfolding.h"
#include "stateful/stuck.h"
#include "trace/dependence.h"

namespace heddle::stateful {

using unfold::Condition;
using unfold::kNone;

bool StatefulUnfolding::next_finding(Schedule& schedule) {
  return next_deadlock(schedule) || next_lost_work(schedule) || next_race(schedule) || next_global(schedule);
}

bool StatefulUnfolding::confirm(std::uint64_t what, Past past, Schedule& schedule) {
  if (!confirmed_.insert(what).second) return false;
  aim_ = Aim::kConfirm;
  write_schedule(past, schedule);
  return true;
}

bool StatefulUnfolding::next_deadlock(Schedule& schedule) {
  const auto judge = [this](Past past) { return feasible(past); };
  // Whoever does nothing has an end, too.
  for (std::size_t t = 0; !deadlocks_ && t < u_.threads(); ++t)
    note_end_without_steps(ThreadId(static_cast<std::uint16_t>(t)));
  if (!deadlocks_) deadlocks_ = std::make_unique<unfold::DeadlockSearch>(u_, co_, nothing_seen_, judge);
  while (const unfold::Deadlock* deadlock = deadlocks_->next()) {
    marking_of(deadlock->past);
    const Stuck stuck = stuck_threads(net_, marking_);
    if (stuck.deadlocked) blocked_.insert(stuck.blocked);
    if (stuck.signature != 0 && confirm(stuck.signature, deadlock->past, schedule)) return true;
  }
  return false;
}

bool StatefulUnfolding::next_lost_work(Schedule& schedule) {
  const auto judge = [this](Past past) { return feasible(past); };
  if (!lost_work_) lost_work_ = std::make_unique<unfold::LostWorkSearch>(u_, co_, judge);
  while (const unfold::LostWork* lost = lost_work_->next(nothing_seen_, nowhere_)) {
    const std::uint64_t key = pair_key(1, u_[u_[lost->exit].from].where, u_[lost->worker].where);
    if (confirm(key, lost->past, schedule)) return true;
  }
  return false;
}

// The marking before the event, as far as the event changes it.
void StatefulUnfolding::mark_before(EventId e) {
  const net::StepId step = step_of(e);
  const net::Transition t = net_[step];
  if (t.kind == OpKind::kWaitRelease || !net_.wakes(step).empty()) {
    PastBuffer before(u_.past(e).begin(), u_.past(e).end());
    before[u_[e].thread.index()] = u_[e].previous.value;
    marking_of(before);
    return;
  }
  marking_.clear();
  marking_.set(u_[e].thread, t.from);
  if (t.takes != net::kNoValue) marking_.set(net_, net_[t.takes].object, t.takes);
}

// What the atoms of properties are behind the event, where they are not what they were before it. Their changes are
// ordered, so this can be seen where it and its past alone have happened. (kNone: what they are in the beginning.)
void StatefulUnfolding::note_changes(EventId e) {
  if (e == kNone)
    marking_of(PastBuffer(u_.threads(), 0));
  else
    mark_before(e);
  std::vector<std::vector<property::AtomValue>> was(atoms_.size()), is(atoms_.size());
  for (std::size_t p = 0; p < atoms_.size(); ++p) atoms_[p].read(marking_, false, was[p]);
  if (e != kNone) marking_.fire(net_, step_of(e));
  for (std::size_t p = 0; p < atoms_.size(); ++p) {
    atoms_[p].read(marking_, false, is[p]);
    for (std::uint32_t a = 0; a < is[p].size(); ++a)
      if (e == kNone || !(is[p][a] == was[p][a])) global_->note(p, a, e, is[p][a]);
  }
}

bool StatefulUnfolding::next_global(Schedule& schedule) {
  if (!global_ || !global_->next(order_)) return false;
  aim_ = Aim::kConfirm;
  write_order(schedule);
  return true;
}

// Conditions that are about to access memory, those of one object side by side.
void StatefulUnfolding::collect_accesses() {
  accesses_known_ = true;
  for (std::uint32_t i = 1; i < u_.condition_ids(); ++i) {
    const Condition& c = u_[ConditionId(i)];
    if (c.status == unfold::Status::kPending && c.object != kNoObject && on_memory(c.kind))
      accesses_.push_back(ConditionId(i));
  }
  std::stable_sort(accesses_.begin(), accesses_.end(),
                   [&](ConditionId a, ConditionId b) { return u_[a].object < u_[b].object; });
}

bool StatefulUnfolding::next_race(Schedule& schedule) {
  if (!options_.races) return false;
  if (!accesses_known_) collect_accesses();
  PastBuffer a_buffer, b_buffer;
  for (; race_a_ < accesses_.size(); ++race_a_, race_b_ = 0) {
    const ConditionId a = accesses_[race_a_];
    for (race_b_ = std::max(race_b_, race_a_ + 1); race_b_ < accesses_.size(); ++race_b_) {
      const ConditionId b = accesses_[race_b_];
      if (u_[a].object != u_[b].object) break;
      if (u_[a].thread == u_[b].thread || !dependent_on_one_object(u_[a].kind, u_[b].kind)) continue;
      const std::uint64_t key = pair_key(2, std::min(u_[a].where, u_[b].where), std::max(u_[a].where, u_[b].where));
      if (confirmed_.contains(key)) continue;
      const Past past_a = u_.past(a, a_buffer), past_b = u_.past(b, b_buffer);
      if (!co_.concurrent(a, past_a, b, past_b)) continue;
      PastBuffer joint(past_a.begin(), past_a.end());
      unfold::join_past(joint, past_b);
      if (!feasible(joint) || !confirm(key, joint, schedule)) continue;
      schedule.steps.push_back({u_[a].thread, 0});
      schedule.steps.push_back({u_[b].thread, 0});
      return true;
    }
  }
  return false;
}

}  // namespace heddle::stateful
