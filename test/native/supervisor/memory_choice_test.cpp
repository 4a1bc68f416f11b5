// Which of the searches gives the answer, by scripted searches.
#include "native/supervisor/memory_choice.h"

#include <gtest/gtest.h>

namespace heddle::supervisor {
namespace {

using explore::Cause;
using explore::Verdict;

struct Scripted {
  std::vector<NativeOptions> asked;
  std::vector<Result<NativeRun>> answers;

  Result<NativeRun> run(const NativeOptions& options = {}) {
    return explore_as_orders_ask(options, [this](const NativeOptions& how) -> Result<NativeRun> {
      asked.push_back(how);
      EXPECT_LE(asked.size(), answers.size());
      return std::move(answers[asked.size() - 1]);
    });
  }
};

bool asks_for_graphs(const NativeOptions& options) {
  return options.worker.strategy.algorithm == explore::Algorithm::kTrust &&
         options.worker.strategy.memory == trace::MemoryModel::kCpp20 && !options.worker.give_way_after;
}

NativeRun ended(const char* name, bool weaker_orders = false) {
  NativeRun run;
  run.result.algorithm = name;
  run.result.ended = true;
  run.weaker_orders = run.own_orders = weaker_orders;
  const auto kind = trace::AssumptionKind::kSequentialConsistency;
  if (weaker_orders) run.result.assumptions.push_back({kind, text_of(kind), {1}});
  return run;
}

NativeRun open(const char* name, Cause cause, bool weaker_orders = false) {
  NativeRun run = ended(name, weaker_orders);
  run.result.ended = false;
  run.result.gaps.push_back({cause, "7"});
  return run;
}

NativeRun with_bug(NativeRun run) {
  run.result.findings.emplace_back();
  return run;
}

TEST(MemoryChoice, WithoutWeakerOrdersInterleavingsAreAll) {
  Scripted s;
  s.answers.push_back(ended("interleavings"));
  EXPECT_EQ(s.run()->result.algorithm, "interleavings");
  ASSERT_EQ(s.asked.size(), 1u);
  EXPECT_TRUE(s.asked[0].worker.give_way_after.has_value());
}

TEST(MemoryChoice, WhoGaveWayToOrdersOfTheLibraryGoesOn) {
  Scripted s;
  s.answers.push_back(open("some", Cause::kExecutionBudget));
  s.answers.push_back(ended("all"));
  EXPECT_EQ(s.run()->result.algorithm, "all");
  EXPECT_FALSE(s.asked[1].worker.give_way_after.has_value());
}

TEST(MemoryChoice, GraphsAnswerForWeakerOrders) {
  Scripted s;
  s.answers.push_back(ended("interleavings", true));
  s.answers.push_back(ended("graphs"));
  EXPECT_EQ(s.run()->result.algorithm, "graphs");
  EXPECT_TRUE(asks_for_graphs(s.asked[1]));
}

TEST(MemoryChoice, ABugNeedsNoGraphs) {
  Scripted s;
  s.answers.push_back(with_bug(open("interleavings", Cause::kFirstBug, true)));
  EXPECT_EQ(s.run()->result.algorithm, "interleavings");
}

TEST(MemoryChoice, WhatGraphsLeaveOpenInterleavingsAnswer) {
  Scripted s;
  s.answers.push_back(ended("interleavings", true));
  s.answers.push_back(open("graphs", Cause::kInputsOpen));
  auto run = s.run();
  EXPECT_EQ(run->result.verdict(), Verdict::kNoBug);
  EXPECT_NE(run->result.assumptions[0].text.find("leave the question open"), std::string::npos);
}

TEST(MemoryChoice, WhatGraphsRefuseInterleavingsAnswer) {
  Scripted s;
  s.answers.push_back(ended("interleavings", true));
  s.answers.push_back(Error{"no graphs"});
  auto run = s.run();
  EXPECT_EQ(run->result.algorithm, "interleavings");
  EXPECT_NE(run->result.assumptions[0].text.find("no graphs"), std::string::npos);
}

TEST(MemoryChoice, NoBugMeansBothWhereInterleavingsGaveWay) {
  Scripted s;
  s.answers.push_back(open("some", Cause::kExecutionBudget, true));
  s.answers.push_back(ended("graphs"));
  s.answers.push_back(with_bug(open("all", Cause::kFirstBug, true)));
  EXPECT_EQ(s.run()->result.verdict(), Verdict::kBug);
  ASSERT_EQ(s.asked.size(), 3u);
}

TEST(MemoryChoice, InterruptedInGraphsIsSaid) {
  Scripted s;
  s.answers.push_back(open("some", Cause::kExecutionBudget, true));
  s.answers.push_back(open("graphs", Cause::kInterrupted));
  EXPECT_TRUE(s.run()->result.has_gap(Cause::kInterrupted));
}

TEST(MemoryChoice, ABudgetOfTheUserIsNoReasonToBeginAgain) {
  Scripted s;
  s.answers.push_back(open("some", Cause::kExecutionBudget, true));
  s.answers[0]->result.executions = 7;
  s.answers.push_back(open("graphs", Cause::kExecutionBudget));
  NativeOptions options;
  options.worker.max_executions = 7;
  EXPECT_EQ(s.run(options)->result.algorithm, "some");
  EXPECT_EQ(s.asked.size(), 2u);
}

TEST(MemoryChoice, AttemptsAloneAreWorthSomeGraphs) {
  Scripted s;
  s.answers.push_back(ended("interleavings", true));
  s.answers[0]->own_orders = false;
  s.answers[0]->result.executions = 7;
  s.answers.push_back(open("graphs", Cause::kExecutionBudget));
  auto run = s.run();
  EXPECT_EQ(run->result.algorithm, "interleavings");
  EXPECT_NE(run->result.assumptions.at(0).text.find("leave the question open"), std::string::npos);
  ASSERT_EQ(s.asked.size(), 2u);
  EXPECT_TRUE(asks_for_graphs(s.asked[1]));
  EXPECT_EQ(s.asked[1].worker.max_executions, 1'070u);
}

TEST(MemoryChoice, OrdersOfTheProgramAreWorthAllGraphs) {
  Scripted s;
  s.answers.push_back(ended("interleavings", true));
  s.answers.push_back(ended("graphs"));
  EXPECT_EQ(s.run()->result.algorithm, "graphs");
  EXPECT_FALSE(s.asked.at(1).worker.max_executions.has_value());
}

}  // namespace
}  // namespace heddle::supervisor
