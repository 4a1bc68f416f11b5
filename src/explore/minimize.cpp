#include "explore/minimize.h"

#include <algorithm>
#include <queue>
#include <unordered_set>

#include "base/random.h"
#include "explore/explorer.h"
#include "trace/dependence.h"
#include "trace/fingerprint.h"

namespace heddle::explore {

ScheduleCost cost_of(const Execution& execution, EventIndex steps) {
  ScheduleCost cost{0, 0, steps};
  for (EventIndex i = 1; i < steps; ++i) {
    const ThreadId before = execution.steps[i - 1].thread;
    if (execution.steps[i].thread == before) continue;
    ++cost.switches;
    if (execution.steps[i].enabled.contains(before)) ++cost.preemptions;
  }
  return cost;
}

bool same_failure(const Failure& a, const Failure& b) {
  return a.kind == b.kind && a.where == b.where && a.message == b.message;
}

const Failure* failure_like(const Execution& execution, const Failure& wanted) {
  for (const Failure& failure : execution.failures)
    if (same_failure(failure, wanted)) return &failure;
  return nullptr;
}

std::vector<Decision> decisions_of(const Execution& execution, std::size_t steps) {
  std::vector<Decision> decisions;
  decisions.reserve(steps);
  for (std::size_t i = 0; i < steps; ++i) decisions.push_back({execution.steps[i].thread, execution.steps[i].choice});
  return decisions;
}

std::vector<Decision> schedule_through(const Execution& execution, const Failure& failure) {
  if (failure.after.empty()) return decisions_of(execution, execution.steps.size());
  std::vector<bool> done(execution.steps.size(), false);
  std::vector<Decision> decisions;
  decisions.reserve(execution.steps.size());
  const auto take = [&](EventIndex i) { decisions.push_back({execution.steps[i].thread, execution.steps[i].choice}); };
  for (const EventIndex i : failure.after) {
    done[i] = true;
    take(i);
  }
  for (EventIndex i = 0; i < execution.steps.size(); ++i)
    if (!done[i]) take(i);
  return decisions;
}

namespace {

// Which objects several threads use, at least one of them writing.
class SharedObjects {
 public:
  void observe(const Execution& execution) {
    for (const Step& step : execution.steps) observe(step);
    for (const Pending& pending : execution.pending) observe(pending.step);
  }
  bool contains(ObjectId object) const {
    if (object.index() >= uses_.size()) return false;
    const Use& use = uses_[object.index()];
    return use.written && use.threads.size() > 1;
  }

 private:
  struct Use {
    ThreadSet threads;
    bool written = false;
  };
  void observe(const Step& step) {
    if (step.op.object == kNoObject) return;
    if (step.op.object.index() >= uses_.size()) uses_.resize(step.op.object.index() + 1);
    Use& use = uses_[step.op.object.index()];
    use.threads.insert(step.thread);
    use.written |= access_of(step.op.kind) == Access::kWrites;
  }
  std::vector<Use> uses_;
};

class Minimizer {
 public:
  Minimizer(Program& program, FailingRun& best, Effort& effort) : program_(program), best_(best), effort_(effort) {}

  bool run() {
    if (!try_decisions(best_.schedule) || failure_like(execution_, best_.failure) == nullptr) return false;
    adopt(*failure_like(execution_, best_.failure));
    reduce();
    search_from_below();
    return true;
  }

 private:
  // Runs the decisions and then without pre-emption; where they cannot be followed, the rest of them is dropped. False
  // if that did not help either.
  bool try_decisions(std::vector<Decision> decisions) {
    for (int attempt = 0; attempt < 2; ++attempt) {
      Schedule schedule;
      schedule.steps = decisions;
      program_.run(schedule, execution_);
      effort_.spend(execution_);
      if (execution_.outcome != Outcome::kDiverged) {
        shared_.observe(execution_);
        return true;
      }
      decisions.resize(std::min<std::size_t>(decisions.size(), execution_.diverged_at));
    }
    return false;
  }

  void adopt(const Failure& failure) {
    best_.failure = failure;
    best_.execution = execution_;
    best_.schedule = decisions_of(execution_, failure.step);
    best_cost_ = cost_of(execution_, failure.step);
  }

  // Takes the last execution over if it fails in the same way at a lower cost.
  bool improves() {
    const Failure* failure = failure_like(execution_, best_.failure);
    if (failure == nullptr) return false;
    const ScheduleCost cost = cost_of(execution_, failure->step);
    if (!(cost < best_cost_ || (cost == best_cost_ && prefer_equal_))) return false;
    prefer_equal_ = false;
    adopt(Failure(*failure));
    return true;
  }

  bool improved_by(const std::vector<Decision>& decisions) {
    return !effort_.spent() && try_decisions(decisions) && improves();
  }

  // 1. Reduction from above.
  void reduce() {
    bool again = true;
    while (again && !effort_.spent()) again = drop_tail() || join_blocks();
  }

  // Ends of blocks in the best schedule: block b is [ends[b-1], ends[b]).
  std::vector<std::size_t> block_ends() const {
    std::vector<std::size_t> ends;
    for (std::size_t i = 1; i <= best_.schedule.size(); ++i)
      if (i == best_.schedule.size() || best_.schedule[i].thread != best_.schedule[i - 1].thread) ends.push_back(i);
    return ends;
  }

  // Does the default tail fail by itself after the first few blocks?
  bool drop_tail() {
    std::vector<std::size_t> starts = block_ends();
    starts.insert(starts.begin(), 0);
    constexpr std::size_t kMost = 100;  // of very many blocks, the first ones: later ones save less
    for (std::size_t b = 0; b + 1 < std::min(starts.size(), kMost); ++b) {
      const auto end = best_.schedule.begin() + static_cast<std::ptrdiff_t>(starts[b]);
      if (improved_by({best_.schedule.begin(), end})) return true;
    }
    return false;
  }

  bool join_blocks() {
    const std::vector<std::size_t> ends = block_ends();
    for (std::size_t b = 0; b < ends.size(); ++b) {
      const std::size_t begin = b == 0 ? 0 : ends[b - 1];
      for (std::size_t c = b + 1; c < ends.size(); ++c) {
        if (best_.schedule[ends[c] - 1].thread != best_.schedule[begin].thread) continue;
        const Span first{begin, ends[b]}, second{ends[c - 1], ends[c]};
        if (improved_by(moved(second, first.end)) || improved_by(moved(first, second.begin))) return true;
        break;
      }
    }
    return false;
  }

  struct Span {
    std::size_t begin;
    std::size_t end;
  };

  // The best schedule with a stretch of it moved to another place.
  std::vector<Decision> moved(Span stretch, std::size_t to) const {
    std::vector<Decision> decisions = best_.schedule;
    const auto at = [&](std::size_t i) { return decisions.begin() + static_cast<std::ptrdiff_t>(i); };
    if (to <= stretch.begin)
      std::rotate(at(to), at(stretch.begin), at(stretch.end));
    else
      std::rotate(at(stretch.begin), at(stretch.end), at(to));
    return decisions;
  }

  // 2. Search from below. A node: the first `position` steps of run `run`, then `decision`.
  struct Node {
    std::uint32_t preemptions;
    std::uint32_t switches;
    std::uint32_t sequence;  // first come, first served: the search is deterministic
    std::uint32_t run;
    std::uint32_t position;
    Decision decision;
    std::uint64_t state;                   // what it leads to, and who goes on
    bool operator<(const Node& o) const {  // std::priority_queue takes the greatest
      return std::tie(o.preemptions, o.switches, o.sequence) < std::tie(preemptions, switches, sequence);
    }
  };

  bool cheaper_than_best(const Node& node) const {
    return std::tie(node.preemptions, node.switches) <= std::tie(best_cost_.preemptions, best_cost_.switches);
  }
  bool as_expensive_as_best(const Node& node) const {
    return node.preemptions == best_cost_.preemptions && node.switches == best_cost_.switches;
  }

  void search_from_below() {
    constexpr std::size_t kForFewerSteps = 2000;  // runs spent on steps alone
    std::size_t for_steps = 0;
    prefer_equal_ = true;
    if (!run_and_expand({}, 0, {})) return;
    while (!queue_.empty() && !effort_.spent()) {
      const Node node = queue_.top();
      queue_.pop();
      if (!cheaper_than_best(node) || (as_expensive_as_best(node) && ++for_steps > kForFewerSteps)) return;
      if (!seen_.insert(node.state).second) continue;
      std::vector<Decision> decisions(runs_[node.run].begin(),
                                      runs_[node.run].begin() + static_cast<std::ptrdiff_t>(node.position));
      decisions.push_back(node.decision);
      run_and_expand(decisions, node.position, {node.preemptions, node.switches, 0});
    }
  }

  // Runs a node, and queues what can be reached from its run. False if it could not be followed.
  bool run_and_expand(const std::vector<Decision>& decisions, std::uint32_t position, ScheduleCost cost) {
    Schedule schedule;
    schedule.steps = decisions;
    program_.run(schedule, execution_);
    effort_.spend(execution_);
    if (execution_.outcome == Outcome::kDiverged) return false;
    shared_.observe(execution_);
    improves();
    expand(position, cost);
    return true;
  }

  void expand(std::uint32_t position, ScheduleCost cost) {
    const auto run = static_cast<std::uint32_t>(runs_.size());
    runs_.push_back(decisions_of(execution_, execution_.steps.size()));
    fingerprint_.of_prefix(execution_, execution_.steps.size(), &pasts_);
    std::uint64_t state = 0;
    for (std::uint32_t i = 0; i < position; ++i) state += mix(pasts_[i]);
    for (std::uint32_t i = position; i < execution_.steps.size(); ++i) {
      const Step& step = execution_.steps[i];
      const ThreadId before = i == 0 ? kNoThread : execution_.steps[i - 1].thread;
      if (i > position || i == 0) queue_others(run, i, cost, state);
      // The node's own first step is paid for already.
      if (i > position && before != step.thread) {
        ++cost.switches;
        if (step.enabled.contains(before)) ++cost.preemptions;
      }
      queue_alternatives(run, i, cost, state);
      if (std::tie(cost.preemptions, cost.switches) > std::tie(best_cost_.preemptions, best_cost_.switches)) return;
      state += mix(pasts_[i]);
    }
  }

  // Other threads that could go on in the state before step i.
  void queue_others(std::uint32_t run, std::uint32_t i, ScheduleCost cost, std::uint64_t state) {
    const Step& step = execution_.steps[i];
    const ThreadId before = i == 0 ? kNoThread : execution_.steps[i - 1].thread;
    const bool preempts = before != kNoThread && step.enabled.contains(before);
    if (preempts && before == step.thread && step.op.kind != OpKind::kTerminate && !shared_.contains(step.op.object))
      return;
    step.enabled.for_each_thread([&](ThreadId other) {
      if (other == step.thread) return;
      const std::uint32_t switched = before != kNoThread && other != before ? 1 : 0;
      push({cost.preemptions + (preempts && switched != 0 ? 1 : 0),
            cost.switches + switched,
            0,
            run,
            i,
            {other, kAnyChoice},
            combine(state, other.value)});
    });
  }

  // Other outcomes of a signal or a choice; who takes it is paid for.
  void queue_alternatives(std::uint32_t run, std::uint32_t i, ScheduleCost cost, std::uint64_t state) {
    const Step& step = execution_.steps[i];
    if (!has_alternatives(step.op.kind)) return;
    step.set.for_each([&](std::size_t choice) {
      if (choice == step.choice) return;
      const auto alternative = static_cast<std::uint16_t>(choice);
      push({cost.preemptions,
            cost.switches,
            0,
            run,
            i,
            {step.thread, alternative},
            combine(combine(state, step.thread.value), 1u + alternative)});
    });
  }

  void push(Node node) {
    if (!cheaper_than_best(node) || seen_.contains(node.state)) return;
    node.sequence = sequence_++;
    queue_.push(node);
  }

  Program& program_;
  FailingRun& best_;
  Effort& effort_;
  ScheduleCost best_cost_;
  bool prefer_equal_ = false;  // of equals, the first from below: it does not depend on how the bug was found
  Execution execution_;
  SharedObjects shared_;
  Fingerprinter fingerprint_;
  std::vector<std::uint64_t> pasts_;
  std::priority_queue<Node> queue_;
  std::uint32_t sequence_ = 0;
  std::unordered_set<std::uint64_t> seen_;
  std::vector<std::vector<Decision>> runs_;  // what was run, for the prefixes of nodes
};

}  // namespace

std::vector<Decision> schedule_of(Program& program, const FailingRun& run, Effort& effort) {
  std::vector<Decision> before = decisions_of(run.execution, run.failure.step);
  if (before.size() == run.execution.steps.size()) return before;
  Execution execution;
  replay(program, before, execution);
  effort.spend(execution);
  const Failure* again = failure_like(execution, run.failure);
  if (again != nullptr && again->step == run.failure.step && again->thread == run.failure.thread) return before;
  return decisions_of(run.execution, run.execution.steps.size());
}

bool minimize(Program& program, FailingRun& run, Effort& effort) { return Minimizer(program, run, effort).run(); }

}  // namespace heddle::explore
