// One search by many has the totals of one search by one, to the last execution: whatever the number of explorers, the
// budgets of their items, and what becomes of them on the way.
#include "dist/search.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <deque>

#include "base/random.h"
#include "check/random_script.h"
#include "dist/item_explorer.h"
#include "dist/local_pool.h"
#include "failing_program.h"

namespace heddle::dist {
namespace {

using explore::Algorithm;
using explore::ExploreResult;
using explore::StrategyOptions;

// Explorers that come and go, on a clock of their own: an item is explored when the seed says so; answers are lost,
// come twice, and come late. Everything goes through bytes.
class FaultyPool : public WorkPool {
 public:
  FaultyPool(const check::Script& script, const ItemOptions& options, std::size_t explorers, std::uint64_t seed)
      : program_(script), options_(options), explorers_(explorers), random_(seed) {}

  std::size_t room() const override { return explorers_ - out_.size(); }
  void give(WorkItem item) override { out_.push_back(encode(item)); }
  void hurry(bool) override {}
  std::vector<Answer> wait(std::chrono::milliseconds) override {
    std::vector<Answer> answers;
    if (!late_.empty() && random_.next() % 3 == 0) {
      answers.push_back(answer(late_.front()));
      late_.pop_front();
    }
    if (out_.empty()) return answers;
    const std::size_t which = random_.next() % out_.size();
    const WorkItem item = decode_item(out_[which]).value();
    out_.erase(out_.begin() + static_cast<std::ptrdiff_t>(which));
    const auto fate = random_.next() % 8;
    if (fate == 0) {  // killed
      answers.push_back({item.segment, item.attempt, std::nullopt, {}});
      return answers;
    }
    auto result = explore_item(program_, item, options_);
    EXPECT_TRUE(result.ok());
    const Bytes bytes = encode(*result);
    if (fate == 1) {  // taken for dead, but it was only slow
      late_.push_back(bytes);
      answers.push_back({item.segment, item.attempt, std::nullopt, {}});
      return answers;
    }
    answers.push_back(answer(bytes));
    if (fate == 2) answers.push_back(answer(bytes));
    if (fate == 3) late_.push_back(bytes);
    return answers;
  }

 private:
  static Answer answer(const Bytes& bytes) {
    WorkResult result = decode_result(bytes).value();
    const auto segment = result.segment;
    const auto attempt = result.attempt;
    return {segment, attempt, std::move(result), {}};
  }

  FailingProgram program_;
  ItemOptions options_;
  std::size_t explorers_;
  Random random_;
  std::vector<Bytes> out_;
  std::deque<Bytes> late_;
};

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

// The budget in executions is what makes it a matter of the seed alone how the search is divided.
class FewAtATime : public WorkPool {
 public:
  FewAtATime(WorkPool& pool, std::uint64_t seed, std::uint64_t most) : pool_(pool), random_(seed), most_(most) {}
  std::size_t room() const override { return pool_.room(); }
  void give(WorkItem item) override {
    item.budget.executions = 1 + random_.next() % most_;
    item.budget.milliseconds = 0;
    pool_.give(std::move(item));
  }
  std::vector<Answer> wait(std::chrono::milliseconds time) override { return pool_.wait(time); }
  void hurry(bool hurry) override { pool_.hurry(hurry); }

 private:
  WorkPool& pool_;
  Random random_;
  std::uint64_t most_;
};

Together together(const check::Script& script, const StrategyOptions& strategy, std::size_t explorers,
                  std::uint64_t most, std::uint64_t seed) {
  FaultyPool faulty(script, {strategy, nullptr, nullptr}, explorers, seed);
  FewAtATime pool(faulty, seed + 1, most);
  Coordinator coordinator;
  SearchOptions options;
  options.all = true;
  Together run{search(coordinator, pool, options).value(), 0, 0};
  run.divided = coordinator.record().divided;
  run.redone = coordinator.record().redone;
  return run;
}

// The same to the last execution.
void expect_same(const ExploreResult& one, const ExploreResult& many, const std::string& what) {
  ASSERT_EQ(many.exhausted(), one.exhausted()) << what;
  ASSERT_EQ(many.executions, one.executions) << what;
  ASSERT_EQ(many.classes, one.classes) << what;
  ASSERT_EQ(many.asleep, one.asleep) << what;
  ASSERT_EQ(many.deadlocked, one.deadlocked) << what;
  ASSERT_EQ(many.failed, one.failed) << what;
  ASSERT_EQ(many.cut, one.cut) << what;
  ASSERT_EQ(many.infeasible, one.infeasible) << what;
  ASSERT_EQ(many.states, one.states) << what;
  ASSERT_EQ(many.steps, one.steps) << what;
  ASSERT_EQ(many.reason(), one.reason()) << what;
  ASSERT_EQ(many.algorithm, one.algorithm) << what;
  ASSERT_EQ(many.findings.size(), one.findings.size()) << what;
  for (std::size_t i = 0; i < one.findings.size(); ++i) {
    ASSERT_EQ(many.findings[i].failure, one.findings[i].failure) << what;
    ASSERT_EQ(many.findings[i].execution, one.findings[i].execution) << what;
    ASSERT_EQ(many.findings[i].schedule, one.findings[i].schedule) << what;
    ASSERT_EQ(many.findings[i].count, one.findings[i].count) << what;
  }
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

}  // namespace
}  // namespace heddle::dist
