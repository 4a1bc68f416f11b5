#include "native/supervisor/memory_choice.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace heddle::supervisor {
namespace {

// What interleavings get before graphs have their turn: about half a second.
constexpr std::uint64_t kFirstExecutions = 200'000;
// What graphs get that no order of the program asks for: so many, and so many for each interleaving.
constexpr std::uint64_t kGraphs = 1'000, kGraphsEach = 10;

// What code that is not looked into orders, graphs do not know: they would read what is long overwritten.
bool calls_unseen(const NativeRun& run) {
  return std::ranges::any_of(run.result.assumptions, [](const trace::Assumption& assumption) {
    return assumption.kind == trace::AssumptionKind::kCodeNotSeen;
  });
}
const std::string kDoubtful = "what they found may be ordered inside a library";

class Search {
 public:
  Search(const NativeOptions& options, const Explore& explore) : options_(options), explore_(explore) {}

  Result<NativeRun> run() {
    NativeOptions first = options_;
    first.worker.give_way_after = kFirstExecutions;
    Result<NativeRun> sc = explore_(first);
    if (!sc) return sc;
    const bool open = gave_way(*sc);
    if (!sc->weaker_orders) return open ? interleavings() : std::move(sc);
    if (!sc->result.findings.empty() && !options_.worker.all) return sc;
    if (sc->result.has_gap(explore::Cause::kInterrupted) || is_late()) return sc;
    Result<NativeRun> graphs = explore_graphs(open, *sc);
    const bool interrupted = graphs && graphs->result.has_gap(explore::Cause::kInterrupted);
    const bool doubtful = graphs && !graphs->result.findings.empty() && (calls_unseen(*sc) || calls_unseen(*graphs));
    const bool found = graphs && !graphs->result.findings.empty() && !doubtful;
    const bool answered = found || (graphs && graphs->result.verdict() == explore::Verdict::kNoBug);
    if (open && !interrupted && !is_late() && (!found || options_.worker.all)) {
      Result<NativeRun> rest = interleavings();
      if (!rest) return rest;
      sc = std::move(rest);
    } else if (open && graphs && !doubtful) {
      return graphs;  // of the two that have not come to an end, the one that says why
    }
    if (answered && has_all_of(*graphs, *sc)) {
      graphs->result.seconds += sc->result.seconds;
      return graphs;
    }
    // Each has bugs that the other one has not: the describer of one cannot tell of the other's.
    if (found && !has_all_of(*sc, *graphs))
      sc->result.gaps.push_back({explore::Cause::kOtherModel, trace::name_of(trace::MemoryModel::kCpp20)});
    if (sc->result.findings.empty())
      admit(doubtful ? kDoubtful : graphs ? graphs->result.reason() : graphs.error().message, sc->result.assumptions);
    if (graphs) sc->result.seconds += graphs->result.seconds;
    return sc;
  }

 private:
  // Or was it a budget of the user's?
  bool gave_way(const NativeRun& run) const {
    return run.result.has_gap(explore::Cause::kExecutionBudget) &&
           (!options_.worker.max_executions || run.result.executions < *options_.worker.max_executions);
  }

  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }
  bool is_late() const { return options_.worker.max_seconds && seconds() >= *options_.worker.max_seconds; }

  // With what is left of the time, or half of it.
  Result<NativeRun> explore(NativeOptions options, bool half) const {
    if (options.worker.max_seconds) {
      const double left = std::max(*options.worker.max_seconds - seconds(), 0.0);
      options.worker.max_seconds = half ? left / 2 : left;
    }
    return explore_(options);
  }

  Result<NativeRun> interleavings() const { return explore(options_, false); }

  Result<NativeRun> explore_graphs(bool half, const NativeRun& sc) const {
    NativeOptions options = options_;
    if (!sc.own_orders) {
      const std::uint64_t most = kGraphs + kGraphsEach * sc.result.executions;
      options.worker.max_executions = std::min(options.worker.max_executions.value_or(most), most);
    }
    options.worker.strategy.algorithm = explore::Algorithm::kTrust;
    options.worker.strategy.memory = trace::MemoryModel::kCpp20;
    return explore(std::move(options), half);
  }

  // Every bug that the other one has? What has no place is told by its words.
  static bool has_all_of(const NativeRun& run, const NativeRun& other) {
    const auto text = [](const NativeRun& r, const explore::Finding& finding) {
      const std::string position = r.describer->position(finding.failure.where);
      return std::pair(finding.failure.kind, position.empty() ? finding.failure.message : position);
    };
    return std::ranges::all_of(other.result.findings, [&](const explore::Finding& wanted) {
      return std::ranges::any_of(run.result.findings, [&](const explore::Finding& finding) {
        return text(run, finding) == text(other, wanted);
      });
    });
  }

  static void admit(const std::string& reason, std::vector<trace::Assumption>& assumptions) {
    for (trace::Assumption& assumption : assumptions)
      if (assumption.kind == trace::AssumptionKind::kSequentialConsistency)
        assumption.text += ", as execution graphs leave the question open (" + reason + ")";
  }

  const NativeOptions& options_;
  const Explore& explore_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace

Result<NativeRun> explore_as_orders_ask(const NativeOptions& options, const Explore& explore) {
  return Search(options, explore).run();
}

}  // namespace heddle::supervisor
