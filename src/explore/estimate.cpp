#include "explore/estimate.h"

#include <chrono>

#include <algorithm>
#include <cmath>

#include "explore/next_operations.h"
#include "trace/dependence.h"

namespace heddle::explore {
namespace {

// One branch of a node: a thread's next step with one of its alternatives.
struct Branch {
  Decision decision;
  Step step;
};

bool asleep(const std::vector<Step>& sleep, ThreadId thread, std::uint16_t choice) {
  return std::any_of(sleep.begin(), sleep.end(),
                     [&](const Step& s) { return s.thread == thread && s.choice == choice; });
}

// The branches of a thread that do not sleep.
void append_branches(const Step& next, const std::vector<Step>& sleep, std::vector<Branch>& branches) {
  const auto append = [&](std::uint16_t choice) {
    if (asleep(sleep, next.thread, choice)) return;
    Step step = next;
    step.choice = choice;
    branches.push_back({{next.thread, choice}, step});
  };
  if (!has_alternatives(next.op.kind) || next.set.empty()) {
    append(0);
    return;
  }
  next.set.for_each([&](std::size_t choice) { append(static_cast<std::uint16_t>(choice)); });
}

}  // namespace

void Estimator::observe(const Execution& execution) {
  std::vector<std::size_t> done(kMaxThreads, 0);
  const auto use = [&](const Step& step) {
    const std::size_t ordinal = ++done[step.thread.index()];
    if (step.op.object == kNoObject) return;
    const std::size_t object = step.op.object.index(), thread = step.thread.index();
    if (object >= users_.size()) {
      users_.resize(object + 1);
      uses_.resize(object + 1);
    }
    users_[object].insert(thread);
    if (thread >= uses_[object].size()) uses_[object].resize(thread + 1);
    Use& u = uses_[object][thread];
    u.last_access = std::max(u.last_access, ordinal);
    if (access_of(undecided(step.op.kind)) == Access::kWrites) u.last_write = std::max(u.last_write, ordinal);
  };
  for (const Step& step : execution.steps) use(step);
  for (const Pending& pending : execution.pending) use(pending.step);
}

bool Estimator::may_conflict_later(ThreadId other, std::size_t done, const Step& step) const {
  if (step.op.kind == OpKind::kTerminate) return true;
  if (step.op.object == kNoObject) return false;
  if (step.op.object.index() >= uses_.size() || other.index() >= uses_[step.op.object.index()].size()) return false;
  const Use& use = uses_[step.op.object.index()][other.index()];
  const bool reads = access_of(undecided(step.op.kind)) == Access::kReads;
  return (reads ? use.last_write : use.last_access) > done;
}

// Who outside may interfere with the next operation of a thread.
ThreadSet Estimator::interferers(const State& state, ThreadId thread) const {
  const Step& step = *state.next[thread.index()];
  ThreadSet out;
  if (step.op.object == kNoObject || step.op.object.index() >= users_.size()) return out;
  users_[step.op.object.index()].for_each_thread([&](ThreadId other) {
    if (other != thread && may_conflict_later(other, state.done[other.index()], step)) out.insert(other);
  });
  return out;
}

// What each thread has done and will do next, in the state before step `position`.
void Estimator::walk(const Execution& execution, EventIndex position, State& state) {
  state.done.assign(kMaxThreads, 0);
  state.next.assign(kMaxThreads, nullptr);
  state.following.resize(execution.steps.size());
  for (EventIndex i = 0; i < position; ++i) ++state.done[execution.steps[i].thread.index()];
  for (const Pending& p : execution.pending) state.next[p.step.thread.index()] = &p.step;
  for (auto i = static_cast<EventIndex>(execution.steps.size()); i-- > position;) {
    const Step*& next = state.next[execution.steps[i].thread.index()];
    state.following[i] = next;
    next = &execution.steps[i];
  }
  state.enabled = position < execution.steps.size() ? execution.steps[position].enabled : ThreadSet{};
}

// The same from the state before, of the same execution.
void Estimator::advance(const Execution& execution, EventIndex position, State& state) {
  const std::size_t t = execution.steps[position - 1].thread.index();
  ++state.done[t];
  state.next[t] = state.following[position - 1];
  state.enabled = execution.steps[position].enabled;
}

// The smallest set of threads, grown from one that is awake, that nobody outside can interfere with.
ThreadSet Estimator::source_set(const State& state, ThreadSet awake) const {
  ThreadSet best = awake, known;
  std::vector<ThreadSet> interferers(kMaxThreads);  // of threads in `known`
  awake.for_each_thread([&](ThreadId seed) {
    ThreadSet set = ThreadSet::of(seed.index()), grown = set;
    bool everybody = false;
    while (!grown.empty() && !everybody) {
      const ThreadId thread = grown.first_thread();
      grown.erase(thread);
      if (!known.contains(thread)) interferers[thread.index()] = this->interferers(state, thread);
      known.insert(thread);
      const ThreadSet more = interferers[thread.index()] - set;
      // Who waits, or does not exist yet, gets there through somebody we do not know.
      everybody = state.next[thread.index()]->op.kind == OpKind::kTerminate || !(more - state.enabled).empty();
      set = set | more;
      grown = grown | more;
    }
    if (!everybody && (set & awake).size() < best.size()) best = set & awake;
  });
  return best;
}

void Estimator::run(Program& program, const Schedule& schedule, Execution& execution) {
  program.run(schedule, execution);
  observe(execution);
  ++runs_;
  steps_ += execution.steps.size();
}

void Estimator::probe(Program& program, const std::function<bool()>& in_time) {
  Schedule schedule;
  Execution execution;
  run(program, schedule, execution);
  double weight = 1;
  std::vector<Step> sleep;
  std::vector<Branch> branches;
  State state;
  bool is_new = true;
  for (EventIndex i = 0; i < execution.steps.size(); ++i) {
    is_new ? walk(execution, i, state) : advance(execution, i, state);
    is_new = false;
    ThreadSet awake;
    state.enabled.for_each_thread([&](ThreadId t) {
      branches.clear();
      append_branches(*state.next[t.index()], sleep, branches);
      if (!branches.empty()) awake.insert(t);
    });
    if (awake.empty()) {
      weight = 0;
      break;
    }
    branches.clear();
    source_set(state, awake).for_each_thread([&](ThreadId t) {
      append_branches(*state.next[t.index()], sleep, branches);
    });
    const std::size_t taken = random_.below(branches.size());
    weight *= static_cast<double>(branches.size());
    for (std::size_t b = 0; b < taken; ++b) sleep.push_back(branches[b].step);
    const Decision decision = branches[taken].decision;
    schedule.steps.push_back(decision);
    if (execution.steps[i].thread != decision.thread || execution.steps[i].choice != decision.choice) {
      run(program, schedule, execution);
      is_new = true;
      if (execution.outcome == Outcome::kDiverged || execution.steps.size() <= i) return;  // not counted
    }
    std::erase_if(sleep, [&](const Step& s) { return dependent(s, execution.steps[i]); });
  }
  if (!in_time()) return;
  ++probes_;
  sum_ += weight;
  squares_ += weight * weight;
}

Estimate Estimator::classes() const {
  if (probes_ == 0) return {};
  const auto n = static_cast<double>(probes_);
  const double mean = sum_ / n;
  const double variance = std::max(0.0, squares_ / n - mean * mean);
  const double error = 2 * std::sqrt(variance / n);
  return {mean, std::max(0.0, mean - error), mean + error};
}

namespace {

constexpr std::uint64_t kMostRuns = 5'000;
constexpr std::uint64_t kMostSteps = 1'000'000;
constexpr std::chrono::microseconds kMoment{1'000};

}  // namespace

bool Estimator::is_worth_more() const { return runs_ < kMostRuns && steps_ < kMostSteps; }

void Estimator::probe_for_a_moment(Program& program) {
  const auto until = std::chrono::steady_clock::now() + kMoment;
  while (is_worth_more() && std::chrono::steady_clock::now() < until) probe(program);
}

Estimate Estimator::executions_in_all(std::uint64_t executions, std::uint64_t seen) const {
  const Estimate c = classes();
  if (probes_ == 0 || seen == 0) return {};
  const double each = static_cast<double>(executions) / static_cast<double>(seen);
  return at_least({c.total * each, c.low * each, c.high * each}, executions);
}

}  // namespace heddle::explore
