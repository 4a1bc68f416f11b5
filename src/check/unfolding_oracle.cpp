#include "check/unfolding_oracle.h"

#include "check/brute_force.h"
#include "check/event_pasts.h"
#include "explore/exhaustive.h"

namespace heddle::check {
namespace {

using namespace trace;

struct Seen {
  std::set<int> events;
  std::set<std::string> failures, deadlocks, classes;
  std::uint64_t executions = 0;

  void note(EventPasts& pasts, const Execution& execution) {
    ++executions;
    classes.insert(canonical_form(execution));
    // Whatever happens in an execution whose inputs nobody asked for is no part of the program.
    if (!execution.unwanted.empty()) return;
    for (const int e : pasts(execution)) events.insert(e);
    for (const Failure& f : execution.failures) failures.insert(failure_key(f));
    if (const std::string marking = pasts.blocked_marking(execution); !marking.empty()) deadlocks.insert(marking);
  }
};

// False: more than `limit` executions, or one that could not be followed.
bool run_all(Program& program, explore::Strategy& strategy, EventPasts& pasts, std::uint64_t limit, Seen& seen) {
  Schedule schedule;
  Execution execution;
  while (strategy.next(schedule)) {
    program.run(schedule, execution);
    if (execution.outcome == Outcome::kDiverged || seen.executions >= limit) return false;
    seen.note(pasts, execution);
    strategy.learn(execution);
  }
  return true;
}

template <class T>
std::string compare(const char* what, const std::set<T>& wanted, const std::set<T>& found) {
  std::size_t missed = 0, invented = 0;
  for (const T& w : wanted) missed += !found.contains(w);
  for (const T& f : found) invented += !wanted.contains(f);
  if (missed + invented == 0) return {};
  return "missed " + std::to_string(missed) + " and invented " + std::to_string(invented) + " of " +
         std::to_string(wanted.size()) + " " + what;
}

}  // namespace

std::optional<std::string> unfolding_disagreement(const Script& script, const unfold::UnfoldingOptions& options,
                                                  std::uint64_t limit) {
  ScriptProgram program(script);
  return unfolding_disagreement(program, options, limit);
}

std::optional<std::string> unfolding_disagreement(Program& program, const unfold::UnfoldingOptions& options,
                                                  std::uint64_t limit) {
  EventPasts pasts(options.variant);
  Seen truth, found;
  explore::Exhaustive exhaustive(explore::TreeOptions{});
  if (!run_all(program, exhaustive, pasts, limit, truth)) return std::nullopt;
  unfold::UnfoldingStrategy strategy(options);
  if (!run_all(program, strategy, pasts, limit, found)) return "did not end, or could not follow its own schedule";
  if (auto d = compare("events", truth.events, found.events); !d.empty()) return d;
  const unfold::UnfoldingStatistics statistics = strategy.statistics();
  if (statistics.events != truth.events.size())
    return "counted " + std::to_string(statistics.events) + " events of " + std::to_string(truth.events.size());
  if (auto d = compare("failures", truth.failures, found.failures); !d.empty()) return d;
  if (found.executions > found.classes.size()) return "ran a class twice";
  if (statistics.missed_targets > 0) return "missed a target";
  if (statistics.unforeseen > 0) return "met an event it had not foreseen";
  if (!options.deadlocks) return std::string();
  if (auto d = compare("deadlocks", truth.deadlocks, found.deadlocks); !d.empty()) return d;
  if (statistics.unconfirmed > 0) return "expected a deadlock that did not come";
  return std::string();
}

}  // namespace heddle::check
