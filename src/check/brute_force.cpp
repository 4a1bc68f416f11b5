#include "check/brute_force.h"

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
  ScriptProgram program(script);
  Truth truth;
  Schedule schedule;
  Execution execution;
  std::vector<std::vector<Decision>> left;   // by depth: what is still to be tried there
  bool new_thread = true;                    // the last decision named a thread, not another alternative
  while (true) {
    program.run(schedule, execution);
    if (++truth.interleavings > limit) return std::nullopt;
    const std::string form = canonical_form(execution);
    const int preemptions = count_preemptions(execution);
    const auto [place, added] = truth.classes.try_emplace(form, preemptions);
    if (!added) place->second = std::min(place->second, preemptions);
    if (execution.outcome == Outcome::kDeadlock) truth.deadlocks.insert(form);
    for (const Failure& f : execution.failures) truth.failures.insert(failure_key(f));
    truth.final_states.insert(program.final_state());

    const std::size_t known = left.size();
    left.resize(execution.steps.size());
    for (std::size_t i = known == 0 ? 0 : known - 1; i < execution.steps.size(); ++i) {
      const Step& s = execution.steps[i];
      if (i >= known)
        s.enabled.for_each_thread([&](ThreadId t) {
          if (t != s.thread) left[i].push_back({t, kAnyChoice});
        });
      if (has_alternatives(s.op.kind) && (i >= known || new_thread))
        s.set.for_each([&](std::size_t c) {
          if (c != s.choice) left[i].push_back({s.thread, static_cast<std::uint16_t>(c)});
        });
    }
    while (!left.empty() && left.back().empty()) left.pop_back();
    if (left.empty()) return truth;
    schedule.steps.clear();
    for (std::size_t i = 0; i + 1 < left.size(); ++i)
      schedule.steps.push_back({execution.steps[i].thread, execution.steps[i].choice});
    schedule.steps.push_back(left.back().back());
    new_thread = left.back().back().choice == kAnyChoice;
    left.back().pop_back();
  }
}

}  // namespace heddle::check
