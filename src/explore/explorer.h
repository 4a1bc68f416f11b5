// The loop around a Program and a Strategy: budgets, verdict, findings, statistics.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "explore/algorithms.h"
#include "explore/data_note.h"
#include "explore/estimate.h"
#include "explore/explanation.h"
#include "explore/relaxation.h"
#include "explore/sample_curve.h"
#include "explore/verdict.h"
#include "trace/assumption.h"
#include "trace/program.h"

namespace heddle::explore {

class Frontier;

struct Progress {
  std::uint64_t executions = 0;
  std::uint64_t classes = 0;
  std::uint64_t findings = 0;  // distinct
  std::uint64_t steps = 0;
  std::size_t depth = 0;  // steps of the last execution
  double seconds = 0;
  Estimate estimate = {};  // of the executions in all; total 0: unknown
};

struct Finding;

struct ExploreOptions {
  StrategyOptions strategy;
  // Makes the strategy, for algorithms that live above this folder (strategies/); else `strategy` says which one.
  std::function<std::unique_ptr<Strategy>()> make;
  std::optional<std::uint64_t> max_executions;
  std::optional<double> max_seconds;
  // Asked after every execution, with how many there were: true ends the exploration, as a budget does.
  std::function<bool(std::uint64_t)> gives_way;
  bool all = false;                   // go on after the first finding
  std::vector<Decision> prefix;       // explore only what follows it (prefix.h)
  Frontier* frontier = nullptr;       // shared with other explorers of the same search; `make` knows how (frontier.h)
  const SavedSearch* from = nullptr;  // go on from here (saved_search.h); it need not outlive begin()
  bool list_classes = false;          // if one may be met twice: in the result, so that parts can be counted together
  std::uint32_t keep_executions = 0;  // keep the executions in the result if there are at most so many (reports)
  bool probe = true;                  // run executions beside the search to estimate how large it is
  // The search is over, and a few executions will be run to estimate how large it was, for so many seconds at most.
  // (Its time may be up: then they need some of their own.)
  std::function<void(double)> before_probes = nullptr;
  // Called now and then (a few times a second at least); false ends the exploration.
  std::function<bool(const Progress&)> observer;
  // Called for every execution (tests, coverage); keep it cheap.
  std::function<void(const Execution&)> on_execution;
  // Called for every new finding, with those before it.
  std::function<void(const std::vector<Finding>&)> on_finding;
};

// A distinct failure (same kind, place and message) with the first execution that shows it.
struct Finding {
  Failure failure;
  Execution execution;
  std::vector<Decision> schedule;   // replays it
  std::uint64_t count = 1;          // executions in which it occurred
  Explanation explanation = {};     // by explain_findings()
  std::vector<DataNote> data = {};  // beside its steps, in order; by the front end, if it knows
};

// Two runs along one schedule that parted: the step as it was, and what its thread was about to do the next time.
// Either may be unknown, or nothing.
struct Parting {
  EventIndex step = 0;
  std::optional<Step> once, again;
};

// What came out about a property (property/): whoever stated it enters that.
struct PropertyAnswer {
  std::string kind;  // reachable, never, always
  std::string text;
  std::string answer;  // shown, violated, unreachable, holds, unknown
};

// A class by its fingerprint, and how its executions end.
struct SeenClass {
  std::uint64_t fingerprint = 0;
  Outcome outcome = Outcome::kComplete;
  bool operator==(const SeenClass&) const = default;
};

// One of the searches that together make up an exploration (strategies/auto_search.h).
struct PartResult {
  std::string algorithm;
  std::uint64_t executions = 0;
  std::uint64_t classes = 0;
  bool ended = false;
  bool operator==(const PartResult&) const = default;
};

struct ExploreResult {
  bool ended = false;                        // the strategy has nothing left to explore
  std::vector<Gap> gaps;                     // what was not looked at all the same, or why it has not ended
  std::optional<std::uint32_t> preemptions;  // the bound within which it was explored
  std::string algorithm;                     // as the user would write it, modifiers included
  std::uint64_t executions = 0;
  std::uint64_t classes = 0;  // distinct; ended complete, deadlocked or failed
  std::uint64_t asleep = 0;
  std::uint64_t deadlocked = 0;  // classes
  std::uint64_t failed = 0;      // classes
  std::uint64_t cut = 0;
  std::uint64_t infeasible = 0;
  std::uint64_t states = 0;
  std::uint64_t events = 0;  // of the unfolding that was built, if any
  std::uint64_t steps = 0;
  double seconds = 0;
  double cpu_seconds = 0;  // of this thread and the processes it started and waited for
  Estimate estimate;       // of the executions in all, if a budget ended the exploration
  std::vector<Finding> findings;
  std::vector<PartResult> parts;  // of several searches together, that of every class first; else none
  std::optional<std::uint32_t> complete_preemptions;  // every class within that many was met by one of the parts
  std::uint64_t samples = 0;                          // executions that were drawn by parts
  std::vector<SamplePoint> curve;                     // of an algorithm that samples
  std::vector<Sample> drawn;                          // all of them, if classes are listed: see list_classes
  std::string note;                                   // what the strategy has to say to the user; may be empty
  std::vector<PropertyAnswer> properties;
  std::optional<Relaxation> relaxation;        // if it was asked for
  std::vector<trace::Assumption> assumptions;  // that the verdict rests on; the front end enters them
  std::optional<Parting> parted;               // the program is not deterministic: what was found until then is here
  std::vector<SeenClass> seen;                 // if they were asked for: see list_classes
  std::vector<Execution> kept;                 // all executions in their order, or none: see keep_executions

  bool exhausted() const { return ended && gaps.empty() && cut == 0; }
  Verdict verdict() const;
  // Why not exhausted, or within which bound; empty if there is nothing to say.
  std::string reason() const;
  bool has_gap(Cause cause) const;
  // Executions of the search that an estimate is about.
  std::uint64_t searched() const { return parts.empty() ? executions : parts.front().executions; }
  // Gaps of waiting loops are entered with the number of a place; this says where that is.
  void name_places(const trace::Describer& describer);
};

Result<ExploreResult> explore(Program& program, const ExploreOptions& options);

// Algorithm and modifiers, as the user would write them.
std::string describe(const StrategyOptions& options);

// How large was it, now that a budget has ended it?
Estimate estimate_in_the_end(Estimator& estimator, Program& program, const ExploreOptions& options,
                             const ExploreResult& result);

// The same loop turned inside out, for those who run the executions themselves (heddle.hpp):
//
//   while (const Schedule* schedule = exploration.next()) { ... run it ...; exploration.learn(execution); }
class Exploration {
 public:
  static Result<Exploration> begin(const ExploreOptions& options);
  Exploration(Exploration&&) noexcept;
  ~Exploration();

  // What to run next; null: the space or a budget is used up. Valid until the next call.
  const Schedule* next();
  // What came of it. An error if the schedule could not be followed.
  std::optional<Error> learn(const Execution& execution);
  // The search as it stands after learn(). False: this algorithm's cannot be saved.
  bool save(SavedSearch& saved) const;
  // Counts and findings up to now.
  const ExploreResult& so_far() const;
  // Somebody else's reason to end it.
  void stop(Gap why);
  ExploreResult conclude();

 private:
  class State;
  explicit Exploration(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// Runs exactly one execution along `steps` and then without pre-emption. `execution.diverged_at` says how far it
// could follow.
void replay(Program& program, const std::vector<Decision>& steps, Execution& execution);

}  // namespace heddle::explore
