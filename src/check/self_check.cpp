#include "check/self_check.h"

#include <algorithm>

#include "base/assert.h"
#include "check/canonical_form.h"
#include "explore/suspect.h"
#include "trace/happens_before.h"

namespace heddle::check {
namespace {

using namespace trace;

// Dependence, closed transitively, row by row: the definition of happens-before.
std::vector<std::vector<bool>> closure(const Execution& execution) {
  const std::size_t n = execution.steps.size();
  std::vector<std::vector<bool>> before(n, std::vector<bool>(n, false));
  for (std::size_t b = 0; b < n; ++b)
    for (std::size_t a = b; a-- > 0;) {
      if (before[a][b] || !dependent(execution.steps[a], execution.steps[b])) continue;
      before[a][b] = true;
      for (std::size_t c = 0; c < a; ++c)
        if (before[c][a]) before[c][b] = true;
    }
  return before;
}

bool agrees_with_closure(const Execution& execution) {
  HappensBefore order;
  for (const Step& s : execution.steps) order.push(s);
  const auto before = closure(execution);
  for (EventIndex b = 0; b < execution.steps.size(); ++b)
    for (EventIndex a = 0; a < b; ++a)
      if (order.before(a, b) != before[a][b]) return false;
  return true;
}

bool is_a_class(Outcome outcome) {
  return outcome == Outcome::kComplete || outcome == Outcome::kDeadlock || outcome == Outcome::kFailed;
}

bool replays(Program& program, const explore::Finding& finding) {
  Execution execution;
  explore::replay(program, finding.schedule, execution);
  return std::any_of(execution.failures.begin(), execution.failures.end(), [&](const Failure& f) {
    return f.kind == finding.failure.kind && f.where == finding.failure.where && f.step == finding.failure.step &&
           f.thread == finding.failure.thread && f.message == finding.failure.message;
  });
}

}  // namespace

SelfCheck::SelfCheck(const explore::StrategyOptions& strategy)
    : each_class_once_(explore::guarantee_of(strategy) == explore::Guarantee::kEveryClassOnce) {
  slow_checks = true;
}

SelfCheck::~SelfCheck() { slow_checks = false; }

void SelfCheck::on_execution(const Execution& execution) {
  INVARIANT(agrees_with_closure(execution));
  if (!is_a_class(execution.outcome)) return;
  const bool is_new = classes_.insert(canonical_form(execution)).second;
  INVARIANT(is_new || !each_class_once_);
}

void SelfCheck::conclude(Program& program, const explore::ExploreResult& result) {
  INVARIANT(result.classes == classes_.size());
  for (const explore::Finding& finding : result.findings) {
    const explore::Suspect suspect(finding.execution);
    INVARIANT(replays(program, finding));
  }
}

}  // namespace heddle::check
