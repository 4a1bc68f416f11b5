// Options that contradict each other, names, budgets and verdicts.
#include "explore/algorithms.h"

#include <gtest/gtest.h>

#include "check/script_program.h"
#include "explore/explorer.h"
#include "model/model_program.h"

namespace heddle::explore {
namespace {

using check::Script;
using check::StmtKind;

Script lost_update(int threads) {
  Script script;
  script.variables = 1;
  for (int t = 0; t < threads; ++t)
    script.threads.push_back({{StmtKind::kRead, 0, 0, 0, {}}, {StmtKind::kCopy, 0, 1, 0, {}}});
  return script;
}

ExploreResult run(const Script& script, const ExploreOptions& options) {
  check::ScriptProgram program(script);
  auto result = explore(program, options);
  EXPECT_TRUE(result.ok()) << result.error().message;
  return result.value();
}

TEST(Algorithms, AreFoundByTheirNames) {
  for (std::size_t i = 0; i < algorithms().size(); ++i) {
    const auto found = algorithm_named(algorithms()[i].name);
    ASSERT_TRUE(found);
    EXPECT_EQ(static_cast<std::size_t>(*found), i);
    EXPECT_EQ(name_of(*found), algorithms()[i].name);
    EXPECT_FALSE(algorithms()[i].summary.empty() || algorithms()[i].guarantee.empty());
  }
  EXPECT_FALSE(algorithm_named("optimal"));
}

TEST(Algorithms, RefuseContradictions) {
  StrategyOptions o;
  o.sleep_sets = true;
  o.preemptions = 2;
  EXPECT_FALSE(make_strategy(o).ok());
  o = {};
  o.algorithm = Algorithm::kRandom;
  o.preemptions = 1;
  EXPECT_FALSE(make_strategy(o).ok());
  o = {};
  o.algorithm = Algorithm::kPct;
  o.order.kind = OrderKind::kStride;
  EXPECT_FALSE(make_strategy(o).ok());
  o = {};
  o.algorithm = Algorithm::kRaceFlip;
  o.preemptions = 1;
  const auto made = make_strategy(o);
  ASSERT_FALSE(made.ok());
  EXPECT_NE(made.error().message.find("race-flip"), std::string::npos);
}

TEST(Algorithms, OrdersAreParsed) {
  EXPECT_EQ(parse_order("bit-reversal:7").value().seed, 7u);
  EXPECT_EQ(parse_order("bit-reversal:7").value().kind, OrderKind::kBitReversal);
  EXPECT_EQ(parse_order("dfs").value().kind, OrderKind::kDfs);
  for (const char* bad : {"", "breadth-first", "stride:", "stride:x", "dfs:1x"}) EXPECT_FALSE(parse_order(bad).ok());
}

TEST(Budgets, EndTheSearchAndSayWhy) {
  ExploreOptions options;
  options.max_executions = 5;
  const ExploreResult result = run(lost_update(3), options);
  EXPECT_EQ(result.executions, 5u);
  EXPECT_FALSE(result.exhausted());
  EXPECT_EQ(result.verdict(), Verdict::kInconclusive);
  EXPECT_NE(result.reason().find("5 executions"), std::string::npos);
}

TEST(Budgets, ABoundIsPartOfTheAnswer) {
  ExploreOptions options;
  options.strategy.preemptions = 1;
  const ExploreResult result = run(lost_update(3), options);
  EXPECT_EQ(result.classes, 24u);
  EXPECT_TRUE(result.exhausted());
  EXPECT_NE(result.reason().find("1 pre-emption"), std::string::npos);
}

// A bug in one thread must not hide that another was cut short.
TEST(Budgets, ACutThreadIsNeverExhaustive) {
  model::ModelOptions bound;
  bound.max_steps = 5;
  auto program = model::load_model_text(
      "shared int x = 0; thread a { assert(0 == 1); } thread b { while (1 == 1) { x = x + 1; } }", "cut.hed", {},
      bound);
  ASSERT_TRUE(program.ok()) << program.error().message;
  ExploreOptions options;
  options.all = true;
  const auto result = explore(**program, options);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result.value().verdict(), Verdict::kBug);
  EXPECT_FALSE(result.value().exhausted());
  EXPECT_GT(result.value().cut, 0u);
}

TEST(Sampling, IsReproducibleAndNeverExhausted) {
  for (Algorithm a : {Algorithm::kRandom, Algorithm::kPct, Algorithm::kPos, Algorithm::kSurw, Algorithm::kRff}) {
    ExploreOptions options;
    options.strategy.algorithm = a;
    options.strategy.seed = 11;
    options.max_executions = 400;
    std::vector<std::size_t> first, second;
    options.on_execution = [&](const Execution& e) { first.push_back(e.steps[1].thread.index()); };
    const ExploreResult result = run(lost_update(3), options);
    options.on_execution = [&](const Execution& e) { second.push_back(e.steps[1].thread.index()); };
    run(lost_update(3), options);
    EXPECT_EQ(first, second);
    EXPECT_FALSE(result.exhausted());
    EXPECT_GT(result.classes, 3u);
    EXPECT_LE(result.classes, 36u);
  }
}

TEST(Findings, AreGroupedAndReplay) {
  Script script = lost_update(2);
  for (auto& thread : script.threads) {
    thread.push_back({StmtKind::kRead, 0, 0, 0, {}});
    thread.push_back({StmtKind::kAssert, 0, 1, 0, {}});
  }
  ExploreOptions options;
  options.all = true;
  const ExploreResult result = run(script, options);
  EXPECT_EQ(result.verdict(), Verdict::kBug);
  ASSERT_FALSE(result.findings.empty());
  check::ScriptProgram program(script);
  for (const Finding& finding : result.findings) {
    EXPECT_GE(finding.count, 1u);
    Execution execution;
    replay(program, finding.schedule, execution);
    bool again = false;
    for (const Failure& f : execution.failures)
      again = again || (f.kind == finding.failure.kind && f.where == finding.failure.where);
    EXPECT_TRUE(again);
  }
}

TEST(Replay, SaysWhereItCannotFollow) {
  check::ScriptProgram program(lost_update(2));
  Execution execution;
  replay(program, {{ThreadId(0), 0}, {ThreadId(7), 0}}, execution);
  EXPECT_EQ(execution.outcome, Outcome::kDiverged);
  EXPECT_EQ(execution.diverged_at, 1u);
}

}  // namespace
}  // namespace heddle::explore
