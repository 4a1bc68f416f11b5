#include "check/brute_force.h"

#include <algorithm>

#include "check/enumeration.h"
#include "trace/dependence.h"

namespace heddle::check {

using namespace trace;

namespace {

std::string label(const Step& s) {
  std::string text = std::to_string(s.thread.value) + name_of(s.op.kind);
  if (s.op.object != kNoObject) text += std::to_string(s.op.object.value);
  if (has_alternatives(s.op.kind)) text += ">" + std::to_string(s.choice);
  return text;
}

// The least linearisation, by threads. `ordered(k, i)`: does k, which comes first, have to?
template <class Event, class Ordered>
std::string least_form(const std::vector<Event>& events, Ordered&& ordered) {
  const std::size_t n = events.size();
  std::vector<bool> done(n, false);
  std::string text;
  for (std::size_t placed = 0; placed < n; ++placed) {
    std::size_t best = n;
    for (std::size_t i = 0; i < n; ++i) {
      if (done[i] || (best < n && events[best].thread <= events[i].thread)) continue;
      bool minimal = true;
      for (std::size_t k = 0; k < i && minimal; ++k) minimal = done[k] || !ordered(events[k], events[i]);
      if (minimal) best = i;
    }
    done[best] = true;
    text += label(events[best]) + ' ';
  }
  return text;
}

// A step, or an arrival at the barrier.
struct Event {
  ThreadId thread;
  Step step;
  const ScriptProgram::Arrival* arrival = nullptr;
  int passed = -1;  // the last round that its thread has come through, or comes to with this
};

std::string label(const Event& e) {
  if (e.arrival == nullptr) return label(e.step);
  return std::to_string(e.thread.value) + "arrives" + (e.arrival->looks && e.arrival->told ? "!" : "");
}

bool ordered(const Event& a, const Event& b) {
  if (a.thread == b.thread) return true;
  if (a.arrival == nullptr) return dependent(a.step, b.step);
  if (b.arrival != nullptr) return a.arrival->round != b.arrival->round;
  return b.passed >= a.arrival->round || dependent(a.step, b.step);
}

std::string form_by_rounds(const Execution& execution, const std::vector<ScriptProgram::Arrival>& arrivals) {
  std::vector<Event> events;
  std::map<ThreadId, int> passed;
  const auto arrive = [&](const ScriptProgram::Arrival& arrival) {
    Step alone;
    alone.thread = arrival.thread;
    alone.op.kind = OpKind::kChoose;  // nothing else is dependent on it but the end of the process
    events.push_back({arrival.thread, alone, &arrival, -1});
  };
  for (EventIndex i = 0; i < execution.steps.size(); ++i) {
    const Step& step = execution.steps[i];
    const auto arrival = std::find_if(arrivals.begin(), arrivals.end(), [&](const auto& a) { return a.step == i; });
    if (arrival != arrivals.end()) {
      arrive(*arrival);
      passed[step.thread] = arrival->round;
    } else if (!is_arrival(step.op.kind) && !(step.op.kind == OpKind::kChoose && step.op.after == kTellsWho)) {
      const auto round = passed.find(step.thread);
      events.push_back({step.thread, step, nullptr, round == passed.end() ? -1 : round->second});
    }
  }
  for (const auto& arrival : arrivals)
    if (arrival.step == kNoEvent) arrive(arrival);
  return least_form(events, ordered);
}

}  // namespace

std::string canonical_form(const Execution& execution) {
  return least_form(execution.steps, [](const Step& a, const Step& b) { return dependent(a, b); });
}

int count_preemptions(const Execution& execution) {
  int count = 0;
  for (std::size_t i = 1; i < execution.steps.size(); ++i) {
    const ThreadId before = execution.steps[i - 1].thread;
    // Any thread that passes a barrier might have been the last to come, and gone on.
    const bool opened = execution.steps[i - 1].op.kind == OpKind::kArriveInTurn && execution.steps[i - 1].op.after == 0;
    if (execution.steps[i].thread != before && execution.steps[i].enabled.contains(before) && !opened) ++count;
  }
  return count;
}

std::string failure_key(const Failure& failure) {
  return std::string(name_of(failure.kind)) + "@" + std::to_string(failure.thread.value) + ":" +
         std::to_string(failure.where);
}

namespace {

// False: there are more than `limit`. `all_waited`: in some of them all that could go on would have looked in vain.
template <class Form>
bool enumerate(ScriptProgram& program, std::uint64_t limit, Form&& form, Truth& truth, bool& all_waited) {
  Enumeration interleavings(program);
  Execution execution;
  while (interleavings.next(execution)) {
    if (++truth.interleavings > limit) return false;
    all_waited = all_waited || program.all_waited();
    if (execution.outcome == Outcome::kInfeasible) continue;  // an assumption, or a turn of a loop that led nowhere
    const int preemptions = count_preemptions(execution) - program.left_waiting();  // who only looks in vain
    const auto [place, added] = truth.classes.try_emplace(form(execution));
    ClassTruth& found = place->second;
    if (!added) {
      found.preemptions = std::min(found.preemptions, preemptions);
      continue;
    }
    found = {preemptions, execution.outcome == Outcome::kDeadlock, {}, program.final_state()};
    for (const Failure& f : execution.failures) found.failures.insert(failure_key(f));
  }
  return true;
}

template <class Form>
std::optional<Truth> brute_force(ScriptProgram& program, std::uint64_t limit, Form&& form) {
  Truth truth;
  bool all_waited = false;
  if (!enumerate(program, limit, form, truth, all_waited)) return std::nullopt;
  program.set_goes_on(true);
  if (all_waited && !enumerate(program, limit, form, truth, all_waited)) return std::nullopt;
  return truth;
}

}  // namespace

std::optional<Truth> brute_force(const Script& script, std::uint64_t limit) {
  ScriptProgram program(script, Waiting::kStruckOut);
  return brute_force(program, limit, canonical_form);
}

std::optional<Truth> brute_force_by_rounds(const Script& script, std::uint64_t limit, Arrivals arrivals) {
  ScriptProgram program(script, Waiting::kStruckOut, arrivals);
  return brute_force(program, limit, [&](const Execution& e) { return form_by_rounds(e, program.arrivals()); });
}

}  // namespace heddle::check
