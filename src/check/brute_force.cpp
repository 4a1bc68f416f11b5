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

// In how many orders can the steps happen, if those that depend on each other stay in the order in which they did? By
// how far each thread has come: steps of one thread never change places.
class Linearisations {
 public:
  explicit Linearisations(const Execution& execution) : steps_(execution.steps), place_(steps_.size()) {
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      place_[i] = done_[steps_[i].thread]++;
      for (std::size_t k = 0; k < i; ++k)
        if (dependent(steps_[k], steps_[i])) before_.insert({k, i});
    }
    for (auto& [thread, n] : done_) n = 0;
  }
  std::uint64_t count() {
    const auto known = counted_.find(done_);
    if (known != counted_.end()) return known->second;
    std::uint64_t orders = 0;
    bool all = true;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      all = all && is_done(i);
      if (place_[i] != done_[steps_[i].thread] || !is_ready(i)) continue;
      ++done_[steps_[i].thread];
      orders += count();
      --done_[steps_[i].thread];
    }
    return counted_[done_] = all ? 1 : orders;
  }

 private:
  bool is_done(std::size_t i) { return place_[i] < done_[steps_[i].thread]; }
  bool is_ready(std::size_t i) {
    for (std::size_t k = 0; k < i; ++k)
      if (before_.contains({k, i}) && !is_done(k)) return false;
    return true;
  }

  const std::vector<Step>& steps_;
  std::vector<std::size_t> place_;  // in its thread
  std::set<std::pair<std::size_t, std::size_t>> before_;
  std::map<ThreadId, std::size_t> done_;
  std::map<std::map<ThreadId, std::size_t>, std::uint64_t> counted_;
};

std::uint64_t linearisations(const Execution& execution) { return Linearisations(execution).count(); }

// Then linearisations in which a thread looks in vain are interleavings that the truth does not have.
bool waits_in_loops(const std::vector<Stmt>& statements) {
  return std::ranges::any_of(statements, [](const Stmt& s) {
    switch (s.kind) {
      case StmtKind::kAwait:
      case StmtKind::kAwaitEither:
      case StmtKind::kRetry:
      case StmtKind::kPollLocked:
      case StmtKind::kPollTried:
      case StmtKind::kPollSpun:
      case StmtKind::kSpun:
      case StmtKind::kPollJoint:
      case StmtKind::kPollHanded:
      case StmtKind::kPollTimed:
      case StmtKind::kPollQueued:
        return true;
      default:
        return waits_in_loops(s.body);
    }
  });
}

// False: there are more than `limit`. `all_waited`: in some of them all that could go on would have looked in vain.
template <class Form, class Count>
bool enumerate(ScriptProgram& program, std::uint64_t limit, Form&& form, Count&& count, Truth& truth,
               bool& all_waited) {
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
      found.members = 1;
      found.linearisations = count(execution);
      continue;
    }
    ++found.members;
    if (member.deadlocked != found.deadlocked || member.failures != found.failures ||
        member.final_state != found.final_state)
      truth.torn = place->first;
    found.preemptions = std::min(found.preemptions, preemptions);
  }
  return true;
}

template <class Form, class Count>
std::optional<Truth> brute_force(ScriptProgram& program, std::uint64_t limit, Form&& form, Count&& count) {
  Truth truth;
  bool all_waited = false;
  if (!enumerate(program, limit, form, count, truth, all_waited)) return std::nullopt;
  program.set_goes_on(true);
  if (all_waited && !enumerate(program, limit, form, count, truth, all_waited)) return std::nullopt;
  return truth;
}

}  // namespace

std::optional<Truth> brute_force(const Script& script, std::uint64_t limit) {
  ScriptProgram program(script, Waiting::kStruckOut);
  auto truth = brute_force(program, limit, canonical_form, linearisations);
  if (!truth || std::ranges::any_of(script.threads, waits_in_loops)) return truth;
  for (const auto& [form, c] : truth->classes)
    if (c.members != c.linearisations) truth->uneven = form;
  return truth;
}

std::optional<Truth> brute_force_by_rounds(const Script& script, std::uint64_t limit, Arrivals arrivals) {
  ScriptProgram program(script, Waiting::kStruckOut, arrivals);
  const auto form = [&](const Execution& e) { return form_by_rounds(e, program.arrivals()); };
  return brute_force(program, limit, form, [](const Execution&) { return std::uint64_t{0}; });
}

}  // namespace heddle::check
