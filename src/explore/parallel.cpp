#include "explore/parallel.h"

#include <algorithm>

namespace heddle::explore {
namespace {

bool same(const Failure& a, const Failure& b) {
  return a.kind == b.kind && a.where == b.where && a.message == b.message;
}

// Each explorer has probed for itself: the mean of what they make of it, and between what all lie.
Estimate merged(const Estimate& a, const Estimate& b) {
  if (a.total == 0 || b.total == 0) return a.total == 0 ? b : a;
  return {(a.total + b.total) / 2, std::min(a.low, b.low), std::max(a.high, b.high)};
}

}  // namespace

void add_unknown(const std::vector<Finding>& findings, std::vector<Finding>& known) {
  for (const Finding& finding : findings)
    if (std::none_of(known.begin(), known.end(), [&](const Finding& f) { return same(f.failure, finding.failure); }))
      known.push_back(finding);
}

void merge(ExploreResult& whole, ExploreResult part) {
  whole.estimate = merged(whole.estimate, part.estimate);
  whole.ended = whole.ended && part.ended;
  if (whole.gaps.empty() || (part.parted && !whole.parted)) whole.gaps = part.gaps;
  if (!whole.parted) whole.parted = part.parted;
  whole.executions += part.executions;
  whole.classes += part.classes;
  whole.asleep += part.asleep;
  whole.deadlocked += part.deadlocked;
  whole.failed += part.failed;
  whole.cut += part.cut;
  whole.infeasible += part.infeasible;
  whole.states += part.states;
  whole.steps += part.steps;
  whole.cpu_seconds += part.cpu_seconds;
  whole.seconds = std::max(whole.seconds, part.seconds);
  for (Finding& finding : part.findings) {
    const auto known = std::find_if(whole.findings.begin(), whole.findings.end(),
                                    [&](const Finding& f) { return same(f.failure, finding.failure); });
    if (known == whole.findings.end())
      whole.findings.push_back(std::move(finding));
    else
      known->count += finding.count;
  }
  for (trace::Assumption& assumption : part.assumptions) {
    const auto known = [&](const trace::Assumption& a) { return a.kind == assumption.kind; };
    if (std::none_of(whole.assumptions.begin(), whole.assumptions.end(), known))
      whole.assumptions.push_back(std::move(assumption));
  }
  if (whole.estimate.total > 0) whole.estimate = at_least(whole.estimate, whole.executions);
}

}  // namespace heddle::explore
