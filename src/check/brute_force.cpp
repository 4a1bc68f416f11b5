#include "check/brute_force.h"

#include <algorithm>

#include "check/canonical_form.h"
#include "check/enumeration.h"
#include "trace/dependence.h"

namespace heddle::check {

using namespace trace;

namespace {

// A step, or an arrival at the barrier.
struct Event {
  ThreadId thread;
  Step step;
  const ScriptProgram::Arrival* arrival = nullptr;
  int passed = -1;  // the last round that its thread has come through, or comes to with this
};

std::string label(const Event& e) {
  if (e.arrival == nullptr) return check::label(e.step);
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
    ClassTruth member{preemptions, execution.outcome == Outcome::kDeadlock, {}, program.final_state()};
    for (const Failure& f : execution.failures) member.failures.insert(failure_key(f));
    if (added) {
      found = std::move(member);
      continue;
    }
    if (member.deadlocked != found.deadlocked || member.failures != found.failures ||
        member.final_state != found.final_state)
      truth.torn = place->first;
    found.preemptions = std::min(found.preemptions, preemptions);
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
