#include "strategies/auto_search.h"

#include <algorithm>
#include <chrono>
#include <optional>

#include "base/assert.h"
#include "explore/orders_bound.h"
#include "explore/parallel.h"
#include "explore/suspect.h"

namespace heddle::strategies {
namespace {

using namespace explore;

using Clock = std::chrono::steady_clock;

// Work is counted in steps. An execution costs something of its own, and one that races are looked for in costs the
// more the longer it is and the more threads it has: pairs of steps are compared by clocks of all threads. A search
// goes back to a state and on from there; a sample begins at the beginning. An unfolding works out what is concurrent.
// The factors are measured (docs/adr/0018).
constexpr std::uint64_t kExecution = 16, kPairs = 512, kFromBeginning = 4, kConcurrent = 8;
std::uint64_t walked(const Execution& e) { return kExecution + e.steps.size(); }
std::uint64_t searched(const Execution& e) { return walked(e) + e.steps.size() * e.steps.size() * e.threads / kPairs; }
std::uint64_t drawn(const Execution& e) { return kFromBeginning * walked(e); }
std::uint64_t unfolded(const Execution& e) { return kConcurrent * searched(e); }

// Shares of work, of what optimal-dpor has to itself first or of a round.
constexpr std::uint64_t kBurst = 256;         // samples after the first execution, at most
constexpr std::uint64_t kBurstWork = 4;       // times the first, for them at most
constexpr std::uint64_t kBudgetPart = 32;     // of a budget of executions, at most so many of them
constexpr double kSmall = 13;                 // a binary logarithm: classes that optimal-dpor needs no company for
constexpr std::uint64_t kNotShort = 4;        // times the first: worth a look whether an unfolding ends at once
constexpr std::uint64_t kLong = 16;           // times the first: now it is worth to know how large it is
constexpr std::uint64_t kProbes = 128;        // of a round, in steps
constexpr std::uint64_t kSamplesFirst = 32;   // of a round, for all samplers together, as long as it is not long
constexpr std::uint64_t kSamplesBeside = 50;  // the same, where the end is in reach
constexpr std::uint64_t kUnfoldingPart = 10;  // of the work in all, if it is in reach, or else that was done
constexpr std::uint64_t kThirds = 3;          // of a round, where it is not
constexpr std::uint64_t kLastRound = 12;      // rounds grow no more after that

constexpr std::uint64_t kSamplesInTurn = 8;  // of one sampler, before the next one has its turn
constexpr std::uint64_t kOfTheFirst = 64;    // of the first one in a burst: it learns from what it has seen
constexpr double kReach = 4e9;               // work within which a search may be expected to end
constexpr double kBlind = 64;                // a part of it that is gone without an estimate
constexpr double kWorkPerSecond = 1e7;       // at least
constexpr int kMostAsked = 1000;             // what an unfolding looks for at a time, in thousands of choices
constexpr std::uint32_t kMostBounds = 8;
constexpr Algorithm kSamplers[] = {Algorithm::kRff, Algorithm::kSurw, Algorithm::kPos, Algorithm::kPct,
                                   Algorithm::kRandom};

// One of the searches. Each has an execution to itself, as a schedule may lean on the one before it.
struct Part {
  std::optional<Exploration> exploration;  // until it is over
  std::uint64_t (*cost)(const Execution&);
  Execution execution = {};
  std::uint64_t spent = 0;
  ExploreResult result = {};  // when it is over

  const ExploreResult& so_far() const { return exploration ? exploration->so_far() : result; }
  void conclude() {
    if (exploration) result = exploration->conclude();
    exploration.reset();
    execution = {};
  }
};

class AutoSearch {
 public:
  AutoSearch(Program& program, const ExploreOptions& options, const Setting& setting, const AutoOptions& how)
      : program_(program),
        options_(options),
        setting_(setting),
        sizing_(options.strategy.seed),
        shown_(options.strategy.seed),
        how_(how) {}

  Result<ExploreResult> run() {
    auto begun = Exploration::begin(watched(options_));
    if (!begun) return begun.error();
    parts_.push_back(std::make_unique<Part>(std::move(*begun), searched));
    bool open = go_on(exact(), 1) && burst() && go_on(exact(), how_.first - std::min(how_.first, exact().spent));
    alone_ = !open && winner_ == &exact();
    open = open && !how_.first_only && sample(how_.first / kSamplesFirst);
    for (std::uint64_t round = 0; open; ++round) open = play(round);
    return conclude();
  }

 private:
  Part& exact() { return *parts_.front(); }

  // Runs a part until it has done so much more work, or has come to its end. False: the whole search is over.
  bool go_on(Part& part, std::uint64_t work) {
    const Suspect suspect(part.execution);
    for (const std::uint64_t until = part.spent + work; part.spent < until && part.exploration;) {
      if (options_.max_executions && executions_ >= *options_.max_executions) {
        exact().exploration->stop({Cause::kExecutionBudget, std::to_string(*options_.max_executions)});
        return false;
      }
      const Schedule* schedule = part.exploration->next();
      if (schedule == nullptr) return end(part);
      program_.run(*schedule, part.execution);
      if (part.exploration->learn(part.execution)) return end(part);  // the result says why
      ++executions_;
      steps_ += part.execution.steps.size();
      part.spent += part.cost(part.execution);
    }
    return true;
  }

  // There is nothing left for the part to do, or something has stopped it, and that stops everything.
  bool end(Part& part) {
    part.conclude();
    if (!part.result.ended) stopped_ = &part;
    const bool whole = &part == &exact() || (&part == unfolding_ && part.result.exhausted());
    if (part.result.ended && whole) winner_ = &part;
    return part.result.ended && !whole;
  }

  // Depth first the bug of a large program comes late or never, and a few samples often have it: they are drawn before
  // anything else where the first execution does not promise a search that ends soon. Not more than a part of a budget,
  // which may be just enough for every class.
  bool burst() {
    if (log2_of_orders(exact().execution, kSmall) <= kSmall) return true;
    std::uint64_t left = std::min(kBurst, options_.max_executions.value_or(~0ull) / kBudgetPart);
    if (left < kSamplesInTurn) return true;
    add_samplers();
    for (std::uint64_t done = 0; left > 0 && done < kBurstWork * how_.first;)
      for (Part* sampler : samplers_) {
        std::uint64_t turn = std::min(left, sampler == samplers_.front() ? kOfTheFirst : kSamplesInTurn);
        for (; turn > 0 && done < kBurstWork * how_.first; --turn, --left) {
          const std::uint64_t before = sampler->spent;
          if (!go_on(*sampler, 1)) return false;
          done += sampler->spent - before;
        }
      }
    return true;
  }

  // A share of the work for each. False: the whole search is over.
  bool play(std::uint64_t round) {
    const std::uint64_t work = how_.first << std::min(round, kLastRound);
    if (exact().spent < kLong * how_.first) {
      const bool look = exact().spent >= kNotShort * how_.first;
      return (!look || unfold(exact().spent)) && go_on(exact(), work) && sample(work / kSamplesFirst);
    }
    probe(work / kProbes);
    const double left = work_left();
    const bool near = left <= reach() && (left > 0 || static_cast<double>(exact().spent) < reach() / kBlind);
    if (!unfold(near ? static_cast<std::uint64_t>(left) + exact().spent : executed_work())) return false;
    if (near) return go_on(exact(), work) && sample(work / kSamplesBeside);
    const std::uint64_t third = work / kThirds;
    return go_on(exact(), third) && within_bounds(third) && sample(third);
  }

  std::uint64_t executed_work() const {
    std::uint64_t work = 0;
    for (const auto& part : parts_) work += part->spent;
    return work;
  }

  // Until probes have taken so many steps more: a matter of the program alone, not of the machine.
  void probe(std::uint64_t steps) {
    const std::uint64_t until = sizing_.steps() + steps;
    while (sizing_.is_worth_more() && sizing_.steps() < until) sizing_.probe(program_);
  }

  // Of optimal-dpor, by the estimate; 0: not known.
  double work_left() {
    const ExploreResult& r = exact().so_far();
    const double in_all = sizing_.executions_in_all(r.executions, r.classes).total;
    if (in_all <= static_cast<double>(r.executions)) return 0;
    return (in_all - static_cast<double>(r.executions)) * cost_of_one();
  }

  double reach() {
    double reach = kReach;
    if (options_.max_seconds) reach = std::min(reach, *options_.max_seconds * kWorkPerSecond);
    if (options_.max_executions) reach = std::min(reach, static_cast<double>(*options_.max_executions) * cost_of_one());
    return reach;
  }

  double cost_of_one() {
    return static_cast<double>(exact().spent) /
           static_cast<double>(std::max<std::uint64_t>(1, exact().so_far().executions));
  }

  void add_samplers() {
    for (const Algorithm algorithm : kSamplers) {
      StrategyOptions strategy = options_.strategy;
      strategy.algorithm = algorithm;
      samplers_.push_back(add(strategy, drawn, setting_));
    }
  }

  // By all samplers in turn, each at least once.
  bool sample(std::uint64_t work) {
    if (samplers_.empty()) add_samplers();
    for (std::uint64_t done = 0; done < work;)
      for (Part* sampler : samplers_) {
        const std::uint64_t before = sampler->spent;
        for (std::uint64_t i = 0; i < kSamplesInTurn; ++i)
          if (!go_on(*sampler, 1)) return false;
        done += sampler->spent - before;
      }
    return true;
  }

  // Every class within 0, 1, 2, ... pre-emptions, as far as that goes.
  bool within_bounds(std::uint64_t work) {
    while (bound_ < kMostBounds && work > 0) {
      if (bounded_ == nullptr) {
        StrategyOptions strategy = options_.strategy;
        strategy.preemptions = bound_;
        bounded_ = add(strategy, searched, setting_);
      }
      const std::uint64_t before = bounded_->spent;
      if (!go_on(*bounded_, work)) return false;
      work -= std::min(work, bounded_->spent - before);
      if (bounded_->exploration) continue;
      const ExploreResult& r = bounded_->result;
      if (r.exhausted()) complete_ = bound_;
      // Where one more pre-emption shows nothing new, or executions are cut, there is nothing more to be had.
      bound_ = r.exhausted() && r.classes > within_ ? bound_ + 1 : kMostBounds;
      within_ = r.classes;
      bounded_ = nullptr;
    }
    return true;
  }

  // May an unfolding end with a small part of so much work?
  bool unfold(std::uint64_t work) {
    const std::uint64_t most = std::min(work, static_cast<std::uint64_t>(kReach)) / kUnfoldingPart;
    if (how_.unfold_elsewhere) return unfold_elsewhere(most);
    if (!how_.unfolding) return true;
    if (unfolding_ == nullptr) {
      StrategyOptions strategy = options_.strategy;
      strategy.algorithm = Algorithm::kContextualUnfolding;
      Setting setting = setting_;
      // What it looks for between executions has no end that could be foretold.
      setting.goes_on = [asked = 0, before = setting_.goes_on]() mutable {
        return ++asked < kMostAsked && (!before || before());
      };
      unfolding_ = add(strategy, unfolded, setting);
    }
    return most <= unfolding_->spent || go_on(*unfolding_, most - unfolding_->spent);
  }

  bool unfold_elsewhere(std::uint64_t most) {
    if (gave_up_ || most <= spent_elsewhere_) return true;
    const std::uint64_t done = how_.unfold_elsewhere(most - spent_elsewhere_);
    spent_elsewhere_ += done;
    gave_up_ = done == 0;
    return true;
  }

  Part* add(const StrategyOptions& strategy, std::uint64_t (*cost)(const Execution&), const Setting& setting) {
    ExploreOptions options = options_;
    options.strategy = strategy;
    options.keep_executions = 0;  // one tree is drawn, and it is not this one
    options.max_executions.reset();
    if (options.max_seconds) *options.max_seconds -= elapsed();
    install(options, setting);
    auto begun = Exploration::begin(watched(std::move(options)));
    INVARIANT(begun.ok());
    parts_.push_back(std::make_unique<Part>(std::move(*begun), cost));
    return parts_.back().get();
  }

  double elapsed() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  // Who watches sees the search as a whole.
  ExploreOptions watched(ExploreOptions options) {
    if (options.observer)
      options.observer = [this](const Progress& of_part) { return options_.observer(whole(of_part)); };
    if (options.gives_way)
      options.gives_way = [this](std::uint64_t of_part) { return options_.gives_way(std::max(executions_, of_part)); };
    if (options.on_finding)
      options.on_finding = [this](const std::vector<Finding>& of_part) {
        std::vector<Finding> all = of_part;
        for (const auto& part : parts_) add_unknown(part->so_far().findings, all);
        options_.on_finding(all);
      };
    return options;
  }

  Progress whole(const Progress& of_part) {
    Progress progress = of_part;
    progress.executions = std::max(executions_, of_part.executions);
    progress.steps = std::max(steps_, of_part.steps);
    progress.seconds = elapsed();
    for (const auto& part : parts_) progress.classes = std::max(progress.classes, part->so_far().classes);
    shown_.probe_for_a_moment(program_);
    progress.estimate = shown_.executions_in_all(exact().so_far().executions, exact().so_far().classes);
    return progress;
  }

  ExploreResult conclude() {
    for (const auto& part : parts_) part->conclude();
    const double seconds = exact().result.seconds, cpu_seconds = exact().result.cpu_seconds;
    ExploreResult sized;  // what an estimate is about
    sized.executions = exact().result.executions;
    sized.classes = exact().result.classes;
    sized.seconds = seconds;
    ExploreResult out = winner_ != nullptr ? winner_->result : parts_.size() == 1 ? exact().result : together();
    for (const auto& part : parts_) add_unknown(part->result.findings, out.findings);
    out.seconds = seconds;
    out.cpu_seconds = cpu_seconds;
    if (parts_.size() > 1 && !alone_) enter_parts(out);
    sized.gaps = out.gaps;
    if (!out.exhausted() && !out.parted && !how_.first_only && (options_.all || out.findings.empty()))
      out.estimate = estimate_in_the_end(shown_, program_, options_, sized);
    return out;
  }

  // None has come to the end of everything.
  ExploreResult together() {
    ExploreResult out = exact().result;
    out.algorithm = "auto";
    out.ended = false;
    if (stopped_ != nullptr) {
      out.gaps = stopped_->result.gaps;
      out.parted = stopped_->result.parted;
    }
    for (std::size_t i = 1; i < parts_.size(); ++i) {
      const ExploreResult& r = parts_[i]->result;
      out.executions += r.executions;
      out.asleep += r.asleep;
      out.cut += r.cut;
      out.infeasible += r.infeasible;
      out.states += r.states;
      out.steps += r.steps;
      // What one of them has met the others may have met as well.
      out.classes = std::max(out.classes, r.classes);
      out.deadlocked = std::max(out.deadlocked, r.deadlocked);
      out.failed = std::max(out.failed, r.failed);
    }
    out.kept.clear();
    out.complete_preemptions = complete_;
    return out;
  }

  void enter_parts(ExploreResult& out) const {
    for (const auto& part : parts_) {
      const ExploreResult& r = part->result;
      if (r.executions > 0) out.parts.push_back({r.algorithm, r.executions, r.classes, r.ended});
    }
    for (const Part* sampler : samplers_) out.samples += sampler->result.executions;
  }

  Program& program_;
  const ExploreOptions& options_;
  const Setting& setting_;
  Estimator sizing_;  // decides
  Estimator shown_;   // how much it probes depends on the machine
  const AutoOptions how_;
  const Clock::time_point start_ = Clock::now();
  std::vector<std::unique_ptr<Part>> parts_;  // optimal-dpor first
  std::vector<Part*> samplers_;
  Part* unfolding_ = nullptr;
  std::uint64_t spent_elsewhere_ = 0;  // by an unfolding in another process
  bool gave_up_ = false;               // that one
  Part* bounded_ = nullptr;            // under way
  Part* winner_ = nullptr;             // has come to the end of everything
  Part* stopped_ = nullptr;            // has been ended, and everything with it
  bool alone_ = false;                 // it was a small search after all
  std::uint32_t bound_ = 0;
  std::uint64_t within_ = 0;  // classes within the bound before
  std::optional<std::uint32_t> complete_;
  std::uint64_t executions_ = 0, steps_ = 0;
};

}  // namespace

bool explores_auto(const ExploreOptions& options) {
  const StrategyOptions& s = options.strategy;
  return s.automatic && s.algorithm == Algorithm::kOptimalDpor && !s.sleep_sets && !s.preemptions &&
         s.order.kind == OrderKind::kDfs && s.feasibility == nullptr && options.prefix.empty() &&
         options.frontier == nullptr && options.probe && !options.list_classes && !options.on_execution &&
         !options.make;
}

std::uint64_t work_of_unfolding(const Execution& execution) { return unfolded(execution); }

Result<ExploreResult> explore_auto(Program& program, const ExploreOptions& options, const Setting& setting,
                                   const AutoOptions& how) {
  REQUIRE(explores_auto(options));
  return AutoSearch(program, options, setting, how).run();
}

}  // namespace heddle::strategies
