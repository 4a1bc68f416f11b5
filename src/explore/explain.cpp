#include "explore/explain.h"

#include <algorithm>

#include "explore/minimize.h"
#include "explore/pattern.h"
#include "explore/prefix.h"
#include "trace/dependence.h"
#include "trace/happens_before.h"

namespace heddle::explore {
namespace {

// One question to the explorer may cost this part of the effort.
constexpr std::uint64_t kRunsPerQuestion = 3'000;
constexpr std::size_t kMostPairs = 300;

// Is this how the program should have gone? Other failures do not count: they are findings of their own.
bool good(const Execution& execution, const Failure& failure) {
  if (execution.outcome == Outcome::kComplete) return true;
  if (execution.outcome != Outcome::kFailed) return false;
  return std::none_of(execution.failures.begin(), execution.failures.end(), [&](const Failure& f) {
    // The same race may be noticed at either of its ends, and the same deadlock by others.
    const bool anywhere = f.kind == FailureKind::kDeadlock || f.kind == FailureKind::kDataRace;
    return f.kind == failure.kind && (f.where == failure.where || anywhere);
  });
}

// A candidate for the decisive pair, indices as in Explanation.
struct Pair {
  EventIndex first;
  EventIndex second;
};

class Explainer {
 public:
  Explainer(Program& program, const Finding& finding, Explanation& out, Effort& effort)
      : program_(program), finding_(finding), failing_(finding.execution), out_(out), effort_(effort) {}

  void judge_branches_by(Feasibility* feasibility) { feasibility_ = feasibility; }

  void run() {
    for (const Step& step : failing_.steps) order_.push(step);
    if (finding_.failure.kind == FailureKind::kDataRace) {
      explain_race();
    } else {
      find_critical_step();
      if (out_.critical != kNoEvent) find_pair();
    }
    classify(failing_, finding_.failure, out_);
  }

 private:
  // A race fails in either order, so there is no critical step and no good order; but that both orders happen can be
  // shown, unless one access decides whether the other takes place at all. The failing thread's own access is the last
  // step before the failure.
  void explain_race() {
    if (failure_step() == 0) return;
    const EventIndex second = failure_step() - 1;
    if (at(second).thread != finding_.failure.thread) return;
    for (EventIndex first = second; first-- > 0;) {
      if (!contend(at(first), at(second))) continue;
      if (happens_reversed({first, second})) {
        settle({first, second}, execution_);
      } else {
        out_.first = first;
        out_.second = second;
      }
      return;
    }
  }

  EventIndex failure_step() const { return finding_.failure.step; }

  // Can a good outcome be reached from the state after the first n steps?
  bool good_reachable(EventIndex n) {
    PrefixProgram rest(program_, decisions_of(failing_, n));
    ExploreOptions options;
    options.all = true;
    options.strategy.feasibility = feasibility_;
    // Without a judge, branches on inputs are only taken where the program offers them.
    const auto on_inputs = [](const Step& s) { return s.op.kind == OpKind::kBranch || s.op.kind == OpKind::kAssume; };
    // A class may have members that pass the state and others that do not.
    if (is_about_state(finding_.failure.kind)) options.strategy.algorithm = Algorithm::kExhaustive;
    if (feasibility_ == nullptr && std::any_of(failing_.steps.begin(), failing_.steps.end(), on_inputs))
      options.strategy.algorithm = Algorithm::kExhaustive;
    auto exploration = Exploration::begin(options);
    REQUIRE(exploration.ok());
    Execution execution;
    asked_everything_ = false;
    for (std::uint64_t runs = 0; runs < kRunsPerQuestion && !effort_.spent(); ++runs) {
      const Schedule* schedule = exploration->next();
      if (schedule == nullptr) {
        asked_everything_ = true;
        return false;
      }
      rest.run(*schedule, execution);
      effort_.spend(rest.last());
      unfollowed_ |= execution.outcome == Outcome::kDiverged;
      if (unfollowed_) return false;
      if (good(execution, finding_.failure)) {
        way_out_ = rest.last();
        return true;
      }
      if (exploration->learn(execution)) return false;
    }
    return false;
  }

  // After `lost` steps no good outcome is known to be reachable; after `open` steps one is.
  void find_critical_step() {
    EventIndex lost = failure_step(), open = 0;
    bool certain = true, found = false;
    Execution best;
    const auto ask = [&](EventIndex n) {
      if (good_reachable(n)) {
        open = n;
        found = true;
        best = way_out_;
        return true;
      }
      lost = n;
      certain = asked_everything_;
      return false;
    };
    for (EventIndex back = 1; !found && lost > 0 && !unfollowed_; back *= 2)
      ask(failure_step() - std::min(back, failure_step()));
    if (unfollowed_) return;
    if (!found) {
      out_.inevitable = true;
      out_.inevitable_certain = certain;
      return;
    }
    while (lost - open > 1) ask(open + (lost - open) / 2);
    out_.critical = open;
    out_.critical_certain = certain;
    way_out_ = std::move(best);
  }

  const Step& at(EventIndex i) const { return *step_at(failing_, i); }
  EventIndex everything() const { return static_cast<EventIndex>(failing_.steps.size() + failing_.pending.size()); }

  // Could the two be a matter of order? An acquire never comes in the place of the release it waits for.
  bool contend(const Step& a, const Step& b) const {
    return a.thread != b.thread && a.op.object != kNoObject && a.op.object == b.op.object && dependent(a, b) &&
           may_be_co_enabled(a.op.kind, b.op.kind);
  }

  // The critical step with later ones, then earlier ones with it, then everything else from the end backwards.
  std::vector<Pair> candidates() const {
    std::vector<Pair> pairs;
    const EventIndex c = out_.critical;
    for (EventIndex i = c + 1; i < everything(); ++i)
      if (contend(at(c), at(i))) pairs.push_back({c, i});
    for (EventIndex i = c; i-- > 0;)
      if (contend(at(i), at(c))) pairs.push_back({i, c});
    for (EventIndex a = failure_step(); a-- > 0 && pairs.size() < kMostPairs;) {
      if (a == c) continue;
      for (EventIndex b = a + 1; b < everything() && pairs.size() < kMostPairs; ++b)
        if (b != c && contend(at(a), at(b))) pairs.push_back({a, b});
    }
    if (pairs.size() > kMostPairs) pairs.resize(kMostPairs);
    return pairs;
  }

  void find_pair() {
    const std::vector<Pair> pairs = candidates();
    for (const Pair& pair : pairs) {
      if (effort_.spent()) break;
      if (!succeeds_reversed(pair)) continue;
      settle(pair, execution_);
      return;
    }
    for (const Pair& pair : pairs) {
      if (!reversed_in(pair, way_out_)) continue;
      settle(pair, way_out_);
      return;
    }
    // Nothing was turned round, so the good run took another alternative, or another thread went first.
    settle({out_.critical, kNoEvent}, way_out_);
  }

  void settle(Pair pair, const Execution& run) {
    out_.first = pair.first;
    out_.second = pair.second;
    out_.reversed = run;
    out_.reversed_schedule = decisions_of(run, run.steps.size());
  }

  bool succeeds_reversed(const Pair& pair) {
    return runs_reversed(pair, [&] { return good(execution_, finding_.failure); });
  }
  bool happens_reversed(const Pair& pair) {
    return runs_reversed(pair, [] { return true; });
  }

  // Everything before `first`, then the second step's thread alone up to `second`, and on without pre-emption. If it
  // cannot go alone, with all that does not come after `first` anyway. Leaves the run in execution_.
  template <class F>
  bool runs_reversed(const Pair& pair, F&& wanted) {
    const ThreadId second = at(pair.second).thread;
    std::vector<Decision> alone = decisions_of(failing_, pair.first), together = alone;
    for (EventIndex i = pair.first + 1; i < pair.second && i < failing_.steps.size(); ++i) {
      const Step& step = at(i);
      if (step.thread == second) alone.push_back({second, kAnyChoice});
      if (!order_.before(pair.first, i)) together.push_back({step.thread, kAnyChoice});
    }
    alone.push_back({second, kAnyChoice});
    together.push_back({second, kAnyChoice});
    const auto runs = [&](const std::vector<Decision>& decisions) {
      replay(program_, decisions, execution_);
      effort_.spend(execution_);
      return execution_.outcome != Outcome::kDiverged && wanted() && reversed_in(pair, execution_);
    };
    return runs(alone) || (together != alone && runs(together));
  }

  // The how-manieth step of its thread?
  std::size_t ordinal(EventIndex index) const {
    std::size_t count = 0;
    for (EventIndex i = 0; i < index && i < failing_.steps.size(); ++i)
      if (failing_.steps[i].thread == at(index).thread) ++count;
    return count;
  }

  static EventIndex find(const Execution& run, ThreadId thread, std::size_t ordinal) {
    for (EventIndex i = 0; i < run.steps.size(); ++i)
      if (run.steps[i].thread == thread && ordinal-- == 0) return i;
    return kNoEvent;
  }

  // Does `run` do the pair's second step, on the same object, before its first (or never the first)?
  bool reversed_in(const Pair& pair, const Execution& run) const {
    const Step& a = at(pair.first);
    const Step& b = at(pair.second);
    const EventIndex second = find(run, b.thread, ordinal(pair.second));
    if (second == kNoEvent || run.steps[second].op.object != b.op.object) return false;
    return second < find(run, a.thread, ordinal(pair.first));
  }

  Program& program_;
  const Finding& finding_;
  const Execution& failing_;
  Explanation& out_;
  Effort& effort_;
  Feasibility* feasibility_ = nullptr;
  HappensBefore order_;
  bool asked_everything_ = false;
  bool unfollowed_ = false;  // the program does not do the same again: claim nothing
  Execution way_out_;
  Execution execution_;
};

// A state that the execution which was found does not pass itself: from now on the finding is one that does. With other
// inputs what comes after the state may go another way.
void run_through_state(Program& program, Finding& finding) {
  if (finding.failure.after.empty()) return;
  Execution execution;
  for (const std::size_t steps : {finding.schedule.size(), finding.failure.after.size()}) {
    finding.schedule.resize(steps);
    replay(program, finding.schedule, execution);
    const Failure* failure = failure_like(execution, finding.failure);
    if (execution.outcome == Outcome::kDiverged || failure == nullptr) continue;
    finding.failure = *failure;
    finding.execution = execution;
    return;
  }
}

void explain_finding(Program& program, Finding& finding, const ExplainOptions& options,
                     Effort::Clock::time_point begun) {
  Explanation& out = finding.explanation;
  out.found = out.shown = cost_of(finding.execution, finding.failure.step);
  // Minimising may take half of the time, so that there is something left for explaining.
  const auto at = [&](double part) {
    return begun + std::chrono::duration_cast<Effort::Clock::duration>(
                       std::chrono::duration<double>(part * options.max_seconds));
  };
  Effort minimizing(options.max_runs, options.max_steps, at(0.5));
  FailingRun run{finding.failure, finding.execution, finding.schedule};
  if (options.minimize && !minimize(program, run, minimizing)) return;
  if (options.shorten) finding.schedule = schedule_of(program, run, minimizing);
  if (options.minimize) {
    finding.failure = run.failure;
    finding.execution = std::move(run.execution);
    out.minimized = true;
    out.shown = cost_of(finding.execution, finding.failure.step);
  }
  Effort explaining(options.max_runs, options.max_steps, at(1));
  Explainer explainer(program, finding, out, explaining);
  explainer.judge_branches_by(options.feasibility);
  explainer.run();
  out.runs = minimizing.runs() + explaining.runs();
}

}  // namespace

void explain_findings(Program& program, ExploreResult& result, const ExplainOptions& options) {
  const auto begun = Effort::Clock::now();
  std::uint64_t runs_left = options.max_runs * 10;
  for (Finding& finding : result.findings) run_through_state(program, finding);
  for (Finding& finding : result.findings) {
    if (runs_left == 0) return;
    explain_finding(program, finding, options, begun);
    runs_left -= std::min(runs_left, finding.explanation.runs);
  }
}

}  // namespace heddle::explore
