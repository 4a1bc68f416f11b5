#include "explore/explorer.h"

#include <sys/resource.h>
#include <time.h>

#include <map>
#include <set>
#include <tuple>
#include <unordered_set>

#include "explore/explores_graphs.h"
#include "explore/frontier.h"
#include "explore/minimize.h"
#include "explore/prefix.h"
#include "explore/suspect.h"
#include "trace/fingerprint.h"

namespace heddle::explore {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kMostStepsKept = 1u << 15;  // 2 MiB

// What this explorer has cost, however busy the machine: its own thread and, with an execution per process, those. The
// clock of the thread is exact; getrusage would round to the kernel's ticks.
double cpu_seconds() {
  timespec self{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &self);
  rusage children{};
  getrusage(RUSAGE_CHILDREN, &children);
  const auto seconds = [](auto whole, auto part, double unit) {
    return static_cast<double>(whole) + static_cast<double>(part) * unit;
  };
  return seconds(self.tv_sec, self.tv_nsec, 1e-9) + seconds(children.ru_utime.tv_sec, children.ru_utime.tv_usec, 1e-6) +
         seconds(children.ru_stime.tv_sec, children.ru_stime.tv_usec, 1e-6);
}

}  // namespace

std::string describe(const StrategyOptions& o) {
  std::string text(name_of(o.algorithm));
  if (o.sleep_sets && o.algorithm != Algorithm::kSourceDpor && o.algorithm != Algorithm::kOptimalDpor)
    text += " --sleep-sets";
  if (o.preemptions) text += " --preemptions=" + std::to_string(*o.preemptions);
  if (o.order.kind != OrderKind::kDfs) text += " --order=" + to_text(o.order);
  if (o.match_values) text += " --match=values";
  if (o.memory) text += " --memory=" + std::string(trace::name_of(*o.memory));
  return text;
}

// Counts, findings and the reasons to stop.
class Exploration::State {
 public:
  State(std::unique_ptr<Strategy> strategy, const ExploreOptions& options)
      : strategy_(std::move(strategy)),
        options_(options),
        distinct_(guarantee_of(options.strategy) == Guarantee::kEveryClassOnce),
        samples_(guarantee_of(options.strategy) == Guarantee::kSample) {
    result_.algorithm = describe(options.strategy);
  }

  const Schedule* next() {
    if (stop_) return nullptr;
    if (strategy_->next(schedule_)) return &schedule_;
    result_.ended = !samples_ && (!options_.frontier || !options_.frontier->stopped());
    return nullptr;
  }

  std::optional<Error> learn(const Execution& execution) {
    if (execution.outcome == Outcome::kDiverged) return diverged(execution);
    // The front end's clock ran out before anything new was done. It is not quite ours, and there is nothing to learn.
    if (options_.max_seconds && execution.outcome == Outcome::kCut && schedule_.fresh > 0 &&
        execution.steps.size() <= schedule_.fresh) {
      stop({Cause::kTimeBudget});
      return std::nullopt;
    }
    account(execution);
    keep(execution);
    if (options_.on_execution) options_.on_execution(execution);
    check_budgets(execution);
    if (!stop_) strategy_->learn(execution);
    return std::nullopt;
  }

  bool save(SavedSearch& saved) const { return strategy_->save(saved); }
  const ExploreResult& so_far() const { return result_; }

  ExploreResult conclude() {
    settle();
    return std::move(result_);
  }

  // The first cause is the one that counts.
  void stop(Gap why) {
    stop_ = true;
    if (options_.frontier) options_.frontier->stop();
    if (result_.gaps.empty()) result_.gaps.push_back(std::move(why));
  }

 private:
  // The end of the search, but what was found stays.
  Error diverged(const Execution& execution) {
    const EventIndex at = execution.diverged_at;
    result_.parted = {at, execution.diverged_from, std::nullopt};
    if (at < execution.steps.size()) {
      result_.parted->again = execution.steps[at];
    } else if (at < schedule_.steps.size()) {
      for (const Pending& p : execution.pending)
        if (p.step.thread == schedule_.steps[at].thread) result_.parted->again = p.step;
    }
    const Gap gap{Cause::kNotDeterministic, "step " + std::to_string(execution.diverged_at) +
                                                " of a replayed schedule could not be taken in execution " +
                                                std::to_string(result_.executions + 1)};
    stop(gap);
    return Error{text_of(gap)};
  }

  void account(const Execution& execution) {
    ++result_.executions;
    result_.steps += execution.steps.size();
    result_.states += execution.steps.size() - std::min(schedule_.fresh, execution.steps.size());
    switch (execution.outcome) {
      case Outcome::kComplete:
      case Outcome::kDeadlock:
      case Outcome::kFailed:
        count_class(execution);
        break;
      case Outcome::kAsleep:
        ++result_.asleep;
        break;
      case Outcome::kCut:
        ++result_.cut;
        note_open_wait(execution);
        break;
      case Outcome::kInfeasible:
        ++result_.infeasible;
        break;
      case Outcome::kDiverged:
        break;
    }
    // Whether an execution counts is known at its end: an assumption may still fail. One that ends asleep is gone
    // through to its end elsewhere.
    if (execution.outcome == Outcome::kAsleep) return;
    for (const bool taste : {false, true})
      for (const Failure& failure : execution.failures)
        if (trace::is_matter_of_taste(failure.kind) == taste) record(execution, failure);
    if (!execution.failures.empty() && !options_.all) stop({Cause::kFirstBug});
  }

  // Cut not by the step bound, but because nobody can tell what its waiting threads wait for.
  void note_open_wait(const Execution& execution) {
    if (execution.idle_turns.empty()) return;
    ThreadSet others = execution.stopped;
    for (const trace::IdleTurn& turn : execution.idle_turns) others.erase(turn.thread);
    if (!others.empty()) return;
    const trace::IdleTurn& turn = execution.idle_turns.front();
    const auto look = std::find_if(execution.steps.begin() + turn.first, execution.steps.end(),
                                   [&](const Step& step) { return step.thread == turn.thread; });
    if (look != execution.steps.end()) open_waits_.insert(look->where);
  }

  void count_class(const Execution& execution) {
    if (!distinct_) {
      const bool graph = explores_graphs(options_.strategy);
      const std::uint64_t fingerprint = graph ? fingerprint_of_graph(execution) : fingerprint_(execution);
      if (samples_) {
        Sample sample = curve_.add(execution, fingerprint);
        if (options_.list_classes) result_.drawn.push_back(std::move(sample));
      }
      if (!seen_.insert(fingerprint).second) return;
      if (options_.list_classes) result_.seen.push_back({fingerprint, execution.outcome});
    }
    ++result_.classes;
    if (execution.outcome == Outcome::kDeadlock) ++result_.deadlocked;
    if (execution.outcome == Outcome::kFailed) ++result_.failed;
  }

  void record(const Execution& execution, const Failure& failure) {
    const auto [place, added] =
        known_.try_emplace({failure.kind, failure.where, failure.message}, result_.findings.size());
    if (!added) {
      ++result_.findings[place->second].count;
      return;
    }
    // To the end: that the execution counts may depend on what comes after the failure (explain.h shortens it).
    result_.findings.push_back({failure, execution, schedule_through(execution, failure), 1, {}});
    if (options_.on_finding) options_.on_finding(result_.findings);
  }

  // All or nothing: a part of a search tree would be taken for the whole.
  void keep(const Execution& execution) {
    if (options_.keep_executions == 0) return;
    if (result_.executions > options_.keep_executions || result_.steps > kMostStepsKept) {
      result_.kept = {};
      return;
    }
    result_.kept.push_back(execution);
  }

  // Reading the clock costs as much as a short execution, so it is read once in a while.
  void check_budgets(const Execution& execution) {
    const std::uint64_t executions = options_.frontier ? options_.frontier->count_execution() : result_.executions;
    if (options_.max_executions && executions >= *options_.max_executions)
      stop({Cause::kExecutionBudget, std::to_string(*options_.max_executions)});
    if (options_.gives_way && options_.gives_way(executions))
      stop({Cause::kExecutionBudget, std::to_string(executions)});
    const bool cut = execution.outcome == Outcome::kCut;  // perhaps because the time is over
    if ((result_.executions & 15) != 0 && result_.steps - steps_at_check_ < 10'000 && !cut) return;
    steps_at_check_ = result_.steps;
    const double seconds = elapsed();
    if (options_.max_seconds && seconds >= *options_.max_seconds) stop({Cause::kTimeBudget});
    if (options_.observer && seconds - last_report_ >= 0.1) {
      last_report_ = seconds;
      const Progress progress{result_.executions, result_.classes,        result_.findings.size(),
                              result_.steps,      execution.steps.size(), seconds};
      if (!options_.observer(progress)) stop({Cause::kInterrupted});
    }
  }

  double elapsed() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  void settle() {
    result_.seconds = elapsed();
    result_.cpu_seconds = cpu_seconds() - cpu_start_;
    if (const auto states = strategy_->states()) result_.states = *states;
    result_.events = strategy_->events();
    if (samples_) result_.curve = curve_.points();
    result_.preemptions = options_.strategy.preemptions;
    for (const std::uint32_t where : open_waits_) result_.gaps.push_back({Cause::kWaitsOpen, std::to_string(where)});
    if (result_.parted) return;
    Account account = strategy_->account();
    result_.note = std::move(account.note);
    if (result_.exhausted()) result_.gaps = std::move(account.gaps);
    if (result_.findings.empty()) result_.assumptions = std::move(account.assumptions);
  }

  std::unique_ptr<Strategy> strategy_;
  const ExploreOptions options_;
  const bool distinct_;  // the strategy never meets a class twice
  const bool samples_;   // it is never at its end
  const Clock::time_point start_ = Clock::now();
  const double cpu_start_ = cpu_seconds();
  bool stop_ = false;
  double last_report_ = 0;
  std::uint64_t steps_at_check_ = 0;
  Schedule schedule_;
  ExploreResult result_;
  Fingerprinter fingerprint_;
  std::unordered_set<std::uint64_t> seen_;
  SampleCurve curve_;
  std::set<std::uint32_t> open_waits_;
  std::map<std::tuple<FailureKind, std::uint32_t, std::string>, std::size_t> known_;
};

Result<Exploration> Exploration::begin(const ExploreOptions& options) {
  REQUIRE(options.frontier == nullptr || options.make);
  if (options.make) return Exploration(std::make_unique<State>(options.make(), options));
  auto strategy = make_strategy(options.strategy);
  if (!strategy) return strategy.error();
  if (options.from != nullptr && !(*strategy)->resume(*options.from))
    return Error{"a search by " + describe(options.strategy) +
                 " cannot be continued from where another one stopped; use optimal-dpor"};
  return Exploration(std::make_unique<State>(std::move(*strategy), options));
}

Exploration::Exploration(std::unique_ptr<State> state) : state_(std::move(state)) {}
Exploration::Exploration(Exploration&&) noexcept = default;
Exploration::~Exploration() = default;

const Schedule* Exploration::next() { return state_->next(); }
std::optional<Error> Exploration::learn(const Execution& execution) { return state_->learn(execution); }
bool Exploration::save(SavedSearch& saved) const { return state_->save(saved); }
const ExploreResult& Exploration::so_far() const { return state_->so_far(); }
void Exploration::stop(Gap why) { state_->stop(std::move(why)); }
ExploreResult Exploration::conclude() { return state_->conclude(); }

Verdict ExploreResult::verdict() const {
  if (!findings.empty()) return Verdict::kBug;
  return exhausted() ? Verdict::kNoBug : Verdict::kInconclusive;
}

namespace {

// "no bug with up to 2 pre-emptions (exhausted), beyond that 1200 samples"
std::string beside(const ExploreResult& r) {
  std::string text;
  if (r.complete_preemptions) {
    const std::uint32_t k = *r.complete_preemptions;
    text = std::string(r.findings.empty() ? "no bug" : "nothing else") +
           (k == 0 ? " without pre-emptions"
                   : " with up to " + std::to_string(k) + (k == 1 ? " pre-emption" : " pre-emptions")) +
           " (exhausted)";
  }
  if (r.samples > 0)
    text += (text.empty() ? "" : ", beyond that ") + std::to_string(r.samples) +
            (text.empty() ? " samples beside the search" : " samples");
  return text;
}

}  // namespace

std::string ExploreResult::reason() const {
  if (!gaps.empty()) {
    const std::string more = ended || has_gap(Cause::kFirstBug) ? std::string() : beside(*this);
    return text_of(gaps) + (more.empty() ? "" : "; " + more);
  }
  if (cut > 0) return std::to_string(cut) + " executions exceeded the step bound (--max-steps)";
  if (!ended || !preemptions) return {};
  return "within " + std::to_string(*preemptions) + (*preemptions == 1 ? " pre-emption" : " pre-emptions");
}

void ExploreResult::name_places(const trace::Describer& describer) {
  for (Gap& gap : gaps)
    if (gap.cause == Cause::kWaitsOpen && !gap.detail.empty())
      gap.detail = describer.position(static_cast<std::uint32_t>(std::stoul(gap.detail)));
}

bool ExploreResult::has_gap(Cause cause) const {
  return std::any_of(gaps.begin(), gaps.end(), [&](const Gap& gap) { return gap.cause == cause; });
}

namespace {

// What an estimate may cost in the end at most: seconds and a part of the time that the search took.
constexpr double kLastProbesSeconds = 0.5, kLastProbesPart = 0.03;

}  // namespace

Estimate estimate_in_the_end(Estimator& estimator, Program& program, const ExploreOptions& options,
                             const ExploreResult& result) {
  const auto so_far = [&] { return estimator.executions_in_all(result.executions, result.classes); };
  if (result.has_gap(Cause::kInterrupted) || result.classes == 0) return so_far();
  const double seconds = std::max(kLastProbesSeconds, kLastProbesPart * result.seconds);
  const auto until = Clock::now() + std::chrono::duration<double>(seconds);
  const auto in_time = [&] { return Clock::now() < until; };
  if (options.before_probes) options.before_probes(seconds);
  while (in_time() && (estimator.is_worth_more() || so_far().total <= static_cast<double>(result.executions)))
    estimator.probe(program, in_time);
  return so_far();
}

namespace {

Result<ExploreResult> explore_whole(Program& program, const ExploreOptions& options) {
  Estimator estimator(options.strategy.seed);
  ExploreOptions observed = options;
  const bool sized =
      options.probe && guarantee_of(options.strategy) != Guarantee::kSample && !options.strategy.preemptions;
  // When progress is shown is a matter of time. With inputs a probe would leave traces in the caches of the solver, and
  // with them in what is explored next, so it waits until the search is over.
  if (options.observer && sized && options.strategy.feasibility == nullptr)
    observed.observer = [&](const Progress& progress) {
      estimator.probe_for_a_moment(program);
      Progress with_estimate = progress;
      with_estimate.estimate = estimator.executions_in_all(progress.executions, progress.classes);
      return options.observer(with_estimate);
    };
  auto exploration = Exploration::begin(observed);
  if (!exploration) return exploration.error();
  Execution execution;
  const Suspect suspect(execution);
  while (const Schedule* schedule = exploration->next()) {
    program.run(*schedule, execution);
    if (exploration->learn(execution)) break;  // the result says why
  }
  ExploreResult result = exploration->conclude();
  if (!result.exhausted() && !result.parted && sized && (options.all || result.findings.empty())) {
    result.estimate = estimate_in_the_end(estimator, program, options, result);
  }
  return result;
}

// What was found behind the prefix, as executions of the whole program.
Result<ExploreResult> explore_behind_prefix(Program& program, const ExploreOptions& options) {
  PrefixProgram rest(program, options.prefix);
  auto result = explore_whole(rest, options);
  if (!result) return result;
  for (Finding& finding : result->findings) {
    finding.schedule.insert(finding.schedule.begin(), options.prefix.begin(), options.prefix.end());
    replay(program, finding.schedule, finding.execution);
    finding.failure.step += static_cast<EventIndex>(options.prefix.size());
  }
  result->kept.clear();  // their tree has no root
  return result;
}

}  // namespace

Result<ExploreResult> explore(Program& program, const ExploreOptions& options) {
  return options.prefix.empty() ? explore_whole(program, options) : explore_behind_prefix(program, options);
}

void replay(Program& program, const std::vector<Decision>& steps, Execution& execution) {
  Schedule schedule;
  schedule.steps = steps;
  const Suspect suspect(execution);
  program.run(schedule, execution);
}

}  // namespace heddle::explore
