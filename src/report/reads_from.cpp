#include "report/reads_from.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace heddle::report {

using namespace trace;

std::vector<Seen> reads_from(const Execution& execution) {
  std::vector<Seen> all(execution.steps.size());
  std::map<ObjectId, std::vector<EventIndex>> orders;  // writes to an object, oldest first
  for (EventIndex i = 0; i < execution.steps.size(); ++i) {
    const Step& s = execution.steps[i];
    if (!on_memory(s.op.kind)) continue;
    std::vector<EventIndex>& order = orders[s.op.object];
    const std::size_t newer = std::min<std::size_t>(s.choice, order.size());
    const std::size_t older = order.size() - newer;
    all[i] = {newer > 0, static_cast<std::uint32_t>(newer), older == 0 ? kNoEvent : order[older - 1],
              newer > 0 ? order.back() : kNoEvent};
    const bool writes = s.op.kind != OpKind::kRead && s.op.kind != OpKind::kCasFailed;
    if (writes) order.insert(order.begin() + static_cast<std::ptrdiff_t>(older), i);
  }
  return all;
}

std::string staleness(const Step& step, const Seen& seen) {
  if (!seen.stale) return {};
  if (step.op.kind == OpKind::kWrite) return fmt::format(" ({} newer)", seen.newer);
  const std::string source =
      seen.source == kNoEvent ? std::string("the start") : fmt::format("step {}", seen.source + 1);
  return fmt::format(" (stale: from {}, {} newer)", source, seen.newer);
}

}  // namespace heddle::report
