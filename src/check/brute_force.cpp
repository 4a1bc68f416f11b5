#include "check/brute_force.h"

#include "check/enumeration.h"
#include "trace/dependence.h"

namespace heddle::check {

using namespace trace;

std::string canonical_form(const Execution& execution) {
  const auto& steps = execution.steps;
  const std::size_t n = steps.size();
  std::vector<bool> done(n, false);
  std::string text;
  for (std::size_t placed = 0; placed < n; ++placed) {
    std::size_t best = n;
    for (std::size_t i = 0; i < n; ++i) {
      if (done[i] || (best < n && steps[best].thread <= steps[i].thread)) continue;
      bool minimal = true;
      for (std::size_t k = 0; k < i && minimal; ++k) minimal = done[k] || !dependent(steps[k], steps[i]);
      if (minimal) best = i;
    }
    done[best] = true;
    const Step& s = steps[best];
    text += std::to_string(s.thread.value) + name_of(s.op.kind);
    if (s.op.object != kNoObject) text += std::to_string(s.op.object.value);
    if (has_alternatives(s.op.kind)) text += ">" + std::to_string(s.choice);
    text += ' ';
  }
  return text;
}

int count_preemptions(const Execution& execution) {
  int count = 0;
  for (std::size_t i = 1; i < execution.steps.size(); ++i) {
    const ThreadId before = execution.steps[i - 1].thread;
    if (execution.steps[i].thread != before && execution.steps[i].enabled.contains(before)) ++count;
  }
  return count;
}

std::string failure_key(const Failure& failure) {
  return std::string(name_of(failure.kind)) + "@" + std::to_string(failure.thread.value) + ":" +
         std::to_string(failure.where);
}

std::optional<Truth> brute_force(const Script& script, std::uint64_t limit) {
  ScriptProgram program(script, Waiting::kStruckOut);
  Enumeration interleavings(program);
  Truth truth;
  Execution execution;
  while (interleavings.next(execution)) {
    if (++truth.interleavings > limit) return std::nullopt;
    if (execution.outcome == Outcome::kInfeasible) continue;   // an assumption, or a turn of a loop that led nowhere
    const int preemptions = count_preemptions(execution) - program.left_waiting();   // who only looks in vain
    const auto [place, added] = truth.classes.try_emplace(canonical_form(execution));
    ClassTruth& found = place->second;
    if (!added) {
      found.preemptions = std::min(found.preemptions, preemptions);
      continue;
    }
    found = {preemptions, execution.outcome == Outcome::kDeadlock, {}, program.final_state()};
    for (const Failure& f : execution.failures) found.failures.insert(failure_key(f));
  }
  return truth;
}

}  // namespace heddle::check
