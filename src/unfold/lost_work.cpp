#include "unfold/lost_work.h"

namespace heddle::unfold {

LostWorkSearch::LostWorkSearch(const Unfolding& unfolding, Concurrency& concurrency, Judge judge)
    : u_(unfolding), co_(concurrency), judge_(std::move(judge)) {
  for (std::uint32_t i = 1; i < u_.event_ids(); ++i) {
    const Event& event = u_[EventId(i)];
    if (event.covered && event.kind == OpKind::kTerminate && event.state == kLosesWork) exits_.push_back(EventId(i));
  }
  if (exits_.empty()) return;
  for (std::uint32_t i = 1; i < u_.condition_ids(); ++i) {
    const Condition& condition = u_[ConditionId(i)];
    if (condition.status == Status::kPending && gives_to_others(condition.kind)) workers_.push_back(ConditionId(i));
  }
}

const LostWork* LostWorkSearch::next(const std::unordered_set<std::uint64_t>& seen,
                                     const std::unordered_set<std::uint32_t>& reported) {
  PastBuffer exit_buffer, buffer;
  for (; exit_ < exits_.size(); ++exit_, worker_ = 0) {
    const EventId exit = exits_[exit_];
    const ConditionId from = u_[exit].from;
    const Past before = u_.past(from, exit_buffer);
    while (worker_ < workers_.size() && !reported.contains(u_[from].where)) {
      const ConditionId worker = workers_[worker_++];
      if (u_[worker].thread == u_[exit].thread || seen.contains(lost_work_key(exit, worker))) continue;
      const Past past = u_.past(worker, buffer);
      if (!co_.concurrent(from, before, worker, past)) continue;
      found_ = {exit, worker, PastBuffer(past.begin(), past.end())};
      join_past(found_.past, u_.past(exit));
      if (judge_(found_.past)) return &found_;
    }
  }
  return nullptr;
}

}  // namespace heddle::unfold
