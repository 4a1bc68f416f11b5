// One search by many has the totals of one search by one, to the last execution: whatever the number of explorers, the
// budgets of their items, and what becomes of them on the way.
#include "dist/search.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "check/random_script.h"
#include "failing_program.h"
#include "faulty_pool.h"

namespace heddle::dist {
namespace {

using explore::Algorithm;
using explore::ExploreResult;
using explore::StrategyOptions;

ExploreResult alone(const check::Script& script, const StrategyOptions& strategy) {
  FailingProgram program(script);
  explore::ExploreOptions options;
  options.strategy = strategy;
  options.all = true;
  options.probe = false;
  options.max_executions = 3'000;
  return explore::explore(program, options).value();
}

struct Together {
  ExploreResult result;
  std::uint64_t divided = 0, redone = 0;
};

Together together(const check::Script& script, const StrategyOptions& strategy, std::size_t explorers,
                  std::uint64_t most, std::uint64_t seed) {
  std::vector<OwnProgram> programs;
  programs.emplace_back(std::make_unique<FailingProgram>(script));
  FaultyPool faulty(std::move(programs), {strategy, nullptr, nullptr}, explorers, seed);
  FewAtATime pool(faulty, seed + 1, most);
  Coordinator coordinator;
  SearchOptions options;
  options.all = true;
  Together run{search(coordinator, pool, options).value(), 0, 0};
  run.divided = coordinator.record().divided;
  run.redone = coordinator.record().redone;
  return run;
}

check::Script script_of(std::uint64_t seed) {
  switch (seed % 5) {
    case 0:
      return check::random_synchronised_script(seed);
    case 1:
      return check::random_waiting_script(seed);
    case 2:
      return check::random_ending_script(seed);
    case 3:
      return check::random_assuming_script(seed);
    default:
      return check::random_large_script(seed);
  }
}

struct Variant {
  const char* name;
  StrategyOptions strategy;
};

StrategyOptions strategy(Algorithm algorithm, bool sleep_sets = false, std::optional<std::uint32_t> preemptions = {}) {
  StrategyOptions options;
  options.algorithm = algorithm;
  options.sleep_sets = sleep_sets;
  options.preemptions = preemptions;
  return options;
}

class ManyExplorers : public testing::TestWithParam<Variant> {};

TEST_P(ManyExplorers, HaveTheTotalsOfOne) {
  std::uint64_t compared = 0, divided = 0, redone = 0, executions = 0, findings = 0;
  const char* asked = std::getenv("HEDDLE_DIST_SEEDS");  // for the long form
  const std::uint64_t most = asked ? std::strtoull(asked, nullptr, 10) : 40;
  for (std::uint64_t seed = 0; seed < most; ++seed) {
    slow_checks = seed < 10;
    const check::Script script = script_of(seed);
    const ExploreResult one = alone(script, GetParam().strategy);
    if (!one.ended || one.executions < 2) continue;
    for (const std::size_t explorers : {1u, 2u, 3u, 5u}) {
      const std::uint64_t budget = 1 + (seed * 7 + explorers * 3) % 40;
      const Together many = together(script, GetParam().strategy, explorers, budget, seed);
      expect_same(one, many.result,
                  GetParam().name + (" seed " + std::to_string(seed)) + ", " + std::to_string(explorers) +
                      " explorers, budget " + std::to_string(budget) + "\n" + to_source(script));
      if (HasFatalFailure()) return;
      ++compared;
      divided += many.divided;
      redone += many.redone;
      executions += one.executions;
      findings += one.findings.size();
    }
  }
  slow_checks = false;
  std::printf("%s: %lu compared, divided %lu times, %lu executions, %lu done again\n", GetParam().name, compared,
              divided, executions, redone);
  EXPECT_GT(compared, 2 * most);
  EXPECT_GT(divided, compared / 2);
  EXPECT_GT(findings, compared);
}

INSTANTIATE_TEST_SUITE_P(Algorithms, ManyExplorers,
                         testing::Values(Variant{"optimal_dpor", strategy(Algorithm::kOptimalDpor)},
                                         Variant{"source_dpor", strategy(Algorithm::kSourceDpor)},
                                         Variant{"dpor", strategy(Algorithm::kDpor)},
                                         Variant{"dpor_asleep", strategy(Algorithm::kDpor, true)},
                                         Variant{"dpor_cr", strategy(Algorithm::kDporCr)},
                                         Variant{"dpor_cr_asleep", strategy(Algorithm::kDporCr, true)},
                                         Variant{"dpor_traversing", strategy(Algorithm::kDporTraversing)},
                                         Variant{"bounded", strategy(Algorithm::kOptimalDpor, false, 2)}),
                         [](const auto& variant) { return variant.param.name; });

TEST(SeveralThreads, HaveTheTotalsOfOne) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const check::Script script = script_of(seed);
    const StrategyOptions strategy;
    const ExploreResult one = alone(script, strategy);
    if (!one.ended) continue;
    for (const std::size_t explorers : {1u, 2u, 4u}) {
      LocalPool local([&] { return std::make_unique<FailingProgram>(script); }, {strategy, nullptr, nullptr},
                      explorers);
      FewAtATime pool(local, seed, 20);
      Coordinator coordinator;
      SearchOptions options;
      options.all = true;
      expect_same(one, search(coordinator, pool, options).value(), "seed " + std::to_string(seed));
      if (HasFatalFailure()) return;
    }
  }
}

// Whoever gets a part of the search is told how many executions are his, so there are never more than there should be.
TEST(Budgets, AreKept) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const check::Script script = check::random_large_script(seed);
    const ExploreResult one = alone(script, {});
    if (one.executions < 60) continue;
    for (const std::size_t explorers : {1u, 2u, 4u}) {
      std::vector<OwnProgram> programs;
      programs.emplace_back(std::make_unique<FailingProgram>(script));
      FaultyPool faulty(std::move(programs), {{}, nullptr, nullptr}, explorers, seed);
      FewAtATime pool(faulty, seed, 9);
      Coordinator coordinator;
      SearchOptions options;
      options.all = true;
      options.max_executions = 50;
      EXPECT_EQ(search(coordinator, pool, options).value().executions, 50u) << seed;
    }
  }
}

// Samples of different numbers, whoever draws them: the same samples as one explorer's, in the same order.
TEST(Samples, AreThoseOfOne) {
  std::uint64_t divided = 0, redone = 0, findings = 0;
  for (const Algorithm algorithm : {Algorithm::kRandom, Algorithm::kPos, Algorithm::kPct})
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
      const check::Script script = script_of(seed);
      StrategyOptions options = strategy(algorithm);
      options.seed = seed;
      FailingProgram program(script);
      explore::ExploreOptions engine;
      engine.strategy = options;
      engine.all = true;
      engine.max_executions = 400;
      const ExploreResult one = explore::explore(program, engine).value();
      for (const std::size_t explorers : {1u, 2u, 4u}) {
        std::vector<OwnProgram> programs;
        programs.emplace_back(std::make_unique<FailingProgram>(script));
        FaultyPool faulty(std::move(programs), {options, nullptr, nullptr}, explorers, seed);
        FewAtATime pool(faulty, seed, 50);
        Coordinator coordinator = Coordinator::of_samples(400);
        SearchOptions how;
        how.all = true;
        const ExploreResult many = search(coordinator, pool, how).value();
        expect_same(one, many, "seed " + std::to_string(seed) + ", " + std::to_string(explorers) + " explorers");
        if (HasFatalFailure()) return;
        ASSERT_EQ(many.curve, one.curve);
        divided += coordinator.record().divided;
        redone += coordinator.record().redone;
      }
      findings += one.findings.size();
    }
  EXPECT_GT(divided, 50u);
  EXPECT_GT(redone, 0u);  // pct, when the first samples were not the longest
  EXPECT_GT(findings, 20u);
}

}  // namespace
}  // namespace heddle::dist
