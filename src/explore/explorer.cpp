#include "explore/explorer.h"

#include <map>
#include <tuple>
#include <unordered_set>

#include "trace/fingerprint.h"

namespace heddle::explore {
namespace {

using Clock = std::chrono::steady_clock;

std::string describe(const StrategyOptions& o) {
  std::string text(name_of(o.algorithm));
  if (o.sleep_sets && o.algorithm != Algorithm::kSourceDpor && o.algorithm != Algorithm::kOptimalDpor)
    text += " --sleep-sets";
  if (o.preemptions) text += " --preemptions=" + std::to_string(*o.preemptions);
  return text;
}

// One exploration: counts, findings and the reasons to stop.
class Exploration {
 public:
  Exploration(Program& program, Strategy& strategy, const ExploreOptions& options)
      : program_(program), strategy_(strategy), options_(options),
        distinct_(guarantee_of(options.strategy) == Guarantee::kEveryClassOnce) {
    result_.algorithm = describe(options.strategy);
  }

  Result<ExploreResult> run() {
    while (!stop_) {
      if (!strategy_.next(schedule_)) {
        result_.exhausted = true;
        break;
      }
      program_.run(schedule_, execution_);
      if (execution_.outcome == Outcome::kDiverged) return diverged();
      account();
      if (options_.on_execution) options_.on_execution(execution_);
      check_budgets();
      if (!stop_) strategy_.learn(execution_);
    }
    conclude();
    return std::move(result_);
  }

 private:
  Error diverged() const {
    return Error{"the program is not deterministic: step " + std::to_string(execution_.diverged_at) +
                 " of a replayed schedule could not be taken in execution " +
                 std::to_string(result_.executions + 1) +
                 "; look for uncontrolled input (time, addresses, random numbers)"};
  }

  void account() {
    ++result_.executions;
    result_.steps += execution_.steps.size();
    result_.states += execution_.steps.size() - std::min(schedule_.fresh, execution_.steps.size());
    switch (execution_.outcome) {
      case Outcome::kComplete:
      case Outcome::kDeadlock:
      case Outcome::kFailed:
        count_class();
        break;
      case Outcome::kAsleep:
        ++result_.asleep;
        break;
      case Outcome::kCut:
        ++result_.cut;
        break;
      case Outcome::kInfeasible:
        ++result_.infeasible;
        break;
      case Outcome::kDiverged:
        break;
    }
    for (const Failure& failure : execution_.failures) record(failure);
    if (!execution_.failures.empty() && !options_.all) stop("stopped at the first bug");
  }

  void count_class() {
    if (!distinct_ && !seen_.insert(fingerprint_(execution_)).second) return;
    ++result_.classes;
    if (execution_.outcome == Outcome::kDeadlock) ++result_.deadlocked;
    if (execution_.outcome == Outcome::kFailed) ++result_.failed;
  }

  void record(const Failure& failure) {
    const auto [place, added] =
        known_.try_emplace({failure.kind, failure.where, failure.message}, result_.findings.size());
    if (!added) {
      ++result_.findings[place->second].count;
      return;
    }
    Finding finding{failure, execution_, {}, 1};
    for (EventIndex i = 0; i < failure.step; ++i)
      finding.schedule.push_back({execution_.steps[i].thread, execution_.steps[i].choice});
    result_.findings.push_back(std::move(finding));
  }

  void stop(std::string reason) {
    stop_ = true;
    if (result_.reason.empty()) result_.reason = std::move(reason);
  }

  // Reading the clock costs as much as a short execution, so it is read once in a while.
  void check_budgets() {
    if (options_.max_executions && result_.executions >= *options_.max_executions)
      stop("the budget of " + std::to_string(*options_.max_executions) + " executions is used up");
    if ((result_.executions & 15) != 0 && result_.steps - steps_at_check_ < 10'000) return;
    steps_at_check_ = result_.steps;
    const double seconds = elapsed();
    if (options_.max_seconds && seconds >= *options_.max_seconds) stop("the time budget is used up");
    if (options_.observer && seconds - last_report_ >= 0.1) {
      last_report_ = seconds;
      const Progress progress{result_.executions, result_.classes, result_.findings.size(),
                              result_.steps, execution_.steps.size(), seconds};
      if (!options_.observer(progress)) stop("interrupted");
    }
  }

  double elapsed() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  void conclude() {
    result_.seconds = elapsed();
    if (const auto states = strategy_.states()) result_.states = *states;
    if (result_.cut > 0) {
      result_.exhausted = false;
      if (result_.reason.empty())
        result_.reason = std::to_string(result_.cut) + " executions exceeded the step bound (--max-steps)";
    }
    if (guarantee_of(options_.strategy) == Guarantee::kSample) result_.exhausted = false;
    if (!result_.findings.empty())
      result_.verdict = Verdict::kBug;
    else
      result_.verdict = result_.exhausted ? Verdict::kNoBug : Verdict::kInconclusive;
    if (result_.exhausted && options_.strategy.preemptions)
      result_.reason = "within " + std::to_string(*options_.strategy.preemptions) + " pre-emptions";
  }

  Program& program_;
  Strategy& strategy_;
  const ExploreOptions& options_;
  const bool distinct_;   // the strategy never meets a class twice
  const Clock::time_point start_ = Clock::now();
  bool stop_ = false;
  double last_report_ = 0;
  std::uint64_t steps_at_check_ = 0;
  Schedule schedule_;
  Execution execution_;
  ExploreResult result_;
  Fingerprinter fingerprint_;
  std::unordered_set<std::uint64_t> seen_;
  std::map<std::tuple<FailureKind, std::uint32_t, std::string>, std::size_t> known_;
};

}  // namespace

const char* name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kBug:
      return "bug";
    case Verdict::kNoBug:
      return "no bug";
    case Verdict::kInconclusive:
      return "inconclusive";
  }
  return "?";
}

Result<ExploreResult> explore(Program& program, const ExploreOptions& options) {
  auto strategy = make_strategy(options.strategy);
  if (!strategy) return strategy.error();
  return Exploration(program, **strategy, options).run();
}

void replay(Program& program, const std::vector<Decision>& steps, Execution& execution) {
  Schedule schedule;
  schedule.steps = steps;
  program.run(schedule, execution);
}

}  // namespace heddle::explore
