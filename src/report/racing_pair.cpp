#include "report/racing_pair.h"

#include <algorithm>
#include <map>

#include "trace/happens_before.h"

namespace heddle::report {
namespace {

using namespace trace;

// The last step of the failing thread that precedes the failure; kNoEvent when there is none (a deadlock is
// nobody's, and a thread may fail before its first visible operation).
EventIndex last_step_before(const Execution& execution, const Failure& failure) {
  if (failure.thread == kNoThread) return kNoEvent;
  for (EventIndex i = failure.step; i-- > 0;)
    if (execution.steps[i].thread == failure.thread) return i;
  return kNoEvent;
}

}  // namespace

std::optional<RacingPair> racing_pair(const Execution& execution, const Failure& failure) {
  const EventIndex end = std::min<EventIndex>(failure.step, static_cast<EventIndex>(execution.steps.size()));
  Failure bounded = failure;
  bounded.step = end;
  HappensBefore order;
  std::vector<RacingPair> pairs;  // by second step, then by first
  std::vector<EventIndex> races;
  for (EventIndex i = 0; i < end; ++i) {
    races.clear();
    order.push(execution.steps[i], &races);
    for (EventIndex first : races) pairs.push_back({first, i});
  }
  const EventIndex last = last_step_before(execution, bounded);
  const auto latest = [&](auto&& wanted) -> std::optional<RacingPair> {
    for (std::size_t i = pairs.size(); i-- > 0;)
      if (wanted(pairs[i])) return pairs[i];
    return std::nullopt;
  };
  const auto in_past = [&](const RacingPair& p) {
    return last == kNoEvent || p.second == last || order.before(p.second, last);
  };
  const auto memory = [&](const RacingPair& p) {
    return on_memory(execution.steps[p.first].op.kind) && on_memory(execution.steps[p.second].op.kind);
  };
  if (auto pair = latest([&](const RacingPair& p) { return in_past(p) && memory(p); })) return pair;
  if (auto pair = latest(in_past)) return pair;
  return latest([](const RacingPair&) { return true; });
}

std::optional<RacingPair> missed_write(const Execution& execution, const Failure& failure) {
  const auto end = std::min<EventIndex>(failure.step, static_cast<EventIndex>(execution.steps.size()));
  std::map<ObjectId, EventIndex> newest;
  std::optional<RacingPair> any, own;
  for (EventIndex i = 0; i < end; ++i) {
    const Step& s = execution.steps[i];
    if (!on_memory(s.op.kind)) continue;
    const bool reads = s.op.kind == OpKind::kRead || s.op.kind == OpKind::kCasFailed;
    if (!reads && s.choice == 0) newest[s.op.object] = i;
    if (!reads || s.choice == 0 || !newest.contains(s.op.object)) continue;
    any = {newest[s.op.object], i};
    if (s.thread == failure.thread) own = any;
  }
  return own ? own : any;
}

}  // namespace heddle::report
