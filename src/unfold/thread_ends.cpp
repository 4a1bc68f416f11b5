#include "unfold/thread_ends.h"

#include <algorithm>

namespace heddle::unfold {

ThreadEnds::ThreadEnds(const Unfolding& u)
    : ended(u.threads()), stopped(u.threads()), first(u.threads()), stuck(u.threads()) {
  for (std::uint32_t i = 1; i < u.condition_ids(); ++i) {
    const ConditionId c(i);
    const Condition& condition = u[c];
    const std::size_t t = condition.thread.index();
    if (condition.status != Status::kIdle && u.idle(c)) continue;
    if (condition.last == kNone) {
      if (condition.waker == kNone && u.spawned.contains(t)) continue;  // a mistake about a thread not yet spawned
      first[t].push_back(c);
    }
    const bool waits = condition.status == Status::kParked || condition.status == Status::kAwaiting ||
                       (condition.status == Status::kPending && blocks(condition.kind) && !u.tries.contains(i));
    if (ends(condition.status))
      ended[t].push_back(c);
    else if (condition.status == Status::kStopped)
      stopped[t].push_back(c);
    else if (waits)
      stuck[t].push_back(c);
  }
}

bool ThreadEnds::exists(const Unfolding& u, Past past, std::size_t thread) const {
  return std::any_of(first[thread].begin(), first[thread].end(),
                     [&](ConditionId c) { return u[c].waker == kNone || u.contains(past, u[c].waker); });
}

std::vector<ConditionId> fitting(const Unfolding& u, Concurrency& co, const std::vector<ConditionId>& chosen, Past past,
                                 const std::vector<ConditionId>& candidates) {
  std::vector<ConditionId> fit;
  if (candidates.empty()) return fit;
  PastBuffer buffer;
  co.fix(past);
  for (const ConditionId d : candidates)
    if (co.fits_marking(chosen, d, u.past(d, buffer))) fit.push_back(d);
  return fit;
}

}  // namespace heddle::unfold
