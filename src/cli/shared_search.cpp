#include "cli/shared_search.h"

#include "dist/joint_pool.h"
#include "dist/journal.h"
#include "dist/terms.h"

namespace heddle::cli {

std::optional<Error> refusal(const explore::StrategyOptions& strategy, const std::optional<std::string>& journal) {
  using explore::Algorithm;
  const std::string name(explore::name_of(strategy.algorithm));
  const std::string remedy =
      "; use optimal-dpor, source-dpor, dpor, dpor-traversing, dpor-cr or exhaustive, or drop -j and --journal";
  if (explore::family_of(strategy.algorithm) == explore::Family::kSampling) {
    if (strategy.algorithm == Algorithm::kSurw || strategy.algorithm == Algorithm::kRff)
      return Error{name +
                   " draws by what the samples before have shown, so it is for one explorer; use random, pct or "
                   "pos, or drop -j and --journal"};
    if (strategy.memory && *strategy.memory != trace::MemoryModel::kSc)
      return Error{"samples of execution graphs are drawn by one explorer; drop -j, or --memory"};
    if (journal)
      return Error{
          "samples are independent of each other, so there is no search to keep; drop --journal, and draw more "
          "with another --seed"};
    return std::nullopt;
  }
  if (explore::covers_local_states(strategy.algorithm))
    return Error{name +
                 " builds one net, which takes most of the time and grows at one place, so others could hardly help "
                 "(docs/distribution.md)" +
                 remedy};
  switch (strategy.algorithm) {
    case Algorithm::kTrust:
      return Error{"trust is one explorer; drop -j and --journal"};
    case Algorithm::kClockVector:
    case Algorithm::kJpfSharing:
    case Algorithm::kRaceFlip:
      return Error{name + " goes by what it has seen in the whole search, so it cannot be explored in parts" + remedy};
    default:
      return std::nullopt;
  }
}

namespace {

dist::SearchOptions search_options(const explore::ExploreOptions& engine) {
  dist::SearchOptions options;
  options.max_executions = engine.max_executions;
  options.max_seconds = engine.max_seconds;
  options.all = engine.all;
  return options;
}

}  // namespace

Result<SharedResult> explore_together(const explore::ExploreOptions& engine, const SharedSearch& shared) {
  if (auto error = refusal(engine.strategy, shared.journal)) return *error;
  const bool samples = explore::family_of(engine.strategy.algorithm) == explore::Family::kSampling;
  SharedResult out;
  std::unique_ptr<dist::Journal> journal;
  dist::Coordinator coordinator;
  if (shared.journal) {
    const std::string options = explore::describe(engine.strategy) + shared.settings;
    auto opened = dist::Journal::open(*shared.journal, {shared.program, shared.fingerprint, options});
    if (!opened) return opened.error();
    journal = std::move(*opened);
    coordinator = journal->take_coordinator();
    if (journal->resumed_from() > 0)
      out.note =
          "goes on with " + *shared.journal + ", after " + std::to_string(journal->resumed_from()) + " executions";
  }
  dist::SearchOptions options = search_options(engine);
  if (samples) {
    coordinator = dist::Coordinator::of_samples(engine.max_executions.value_or(dist::kEndless));
    options.max_executions.reset();
  }
  options.recorder = journal.get();
  explore::Estimator estimator(engine.strategy.seed);
  const dist::OwnProgram probed = shared.make_program();
  const bool sized = engine.probe && !engine.strategy.preemptions && !samples;
  if (engine.observer)
    options.observer = [&](const explore::Progress& progress) {
      explore::Progress with_estimate = progress;
      if (sized) estimator.probe_for_a_moment(*probed.program);
      if (sized) with_estimate.estimate = estimator.executions_in_all(progress.executions, progress.classes);
      return engine.observer(with_estimate);
    };
  const dist::ItemOptions how{engine.strategy, nullptr, shared.assumptions};
  Result<explore::ExploreResult> result = explore::ExploreResult{};
  if (shared.serve) {
    auto transport = dist::connect(*shared.serve, {dist::kToSearch});
    if (!transport) return transport.error();
    dist::Crew crew(**transport, shared.job, nullptr);
    dist::LocalPool here(shared.make_program, how, shared.jobs, /*apart=*/true);
    dist::JointPool pool(here, crew);
    options.observer = crew.observed_by(std::move(options.observer));
    options.longest_item = dist::kLongestRemoteItem;
    result = dist::search(coordinator, pool, options);
    dist::dismiss(**transport, crew.search());
  } else {
    dist::LocalPool pool(shared.make_program, how, shared.jobs);
    result = dist::search(coordinator, pool, options);
  }
  if (!result) return result.error();
  out.result = std::move(*result);
  if (shared.numbers != nullptr) {
    shared.numbers->use_threads(coordinator.record().threads);
    if (shared.numbers->terms() != nullptr) dist::move_terms(coordinator.terms(), *shared.numbers->terms(), out.result);
  }
  if (!out.result.exhausted() && !out.result.parted && sized && (engine.all || out.result.findings.empty()))
    out.result.estimate = explore::estimate_in_the_end(estimator, *probed.program, engine, out.result);
  return out;
}

}  // namespace heddle::cli
