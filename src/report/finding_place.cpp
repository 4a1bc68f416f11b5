#include "report/finding_place.h"

#include <algorithm>

#include "trace/waiting.h"

namespace heddle::report {

using namespace trace;

std::string finding_position(const explore::Finding& finding, const Describer& describer) {
  if (const std::string at = describer.position(finding.failure.where); !at.empty()) return at;
  std::vector<Waiter> waiting = waiters(finding.execution, describer);
  const auto rank = [&](const Waiter& waiter) {
    if (waiter.pending != kNoEvent && waiter.pending == finding.explanation.second) return 0;
    if (waiter.step->op.kind == OpKind::kJoin) return 2;
    return 1;
  };
  std::stable_sort(waiting.begin(), waiting.end(), [&](const Waiter& a, const Waiter& b) { return rank(a) < rank(b); });
  for (const Waiter& waiter : waiting)
    if (const std::string at = describer.position(waiter.step->where); !at.empty()) return at;
  return {};
}

std::string finding_message(const explore::Finding& finding, const Describer& describer) {
  if (finding.failure.kind != FailureKind::kDeadlock) return finding.failure.message;
  std::string text;
  for (const std::string& line : waiting_in_the_end(finding.execution, describer))
    text += (text.empty() ? "" : "\n") + line;
  return text.empty() ? finding.failure.message : text;
}

}  // namespace heddle::report
