// Minimising and explaining, by programs that state their truth in their heads: how many pre-emptions the bug needs,
// the lines of the decisive pair, and the pattern. Each is reached in several ways, from the orderly search to random
// walks; the way must not matter.
#include "explore/minimize.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>

#include "explore/explain.h"
#include "model/model_program.h"

namespace heddle::explore {
namespace {

struct Expected {
  std::uint32_t preemptions = 0;
  std::string first, second, pattern;
  bool inevitable = false;
};

Expected expected_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    std::smatch m;
    if (std::regex_match(line, m, std::regex("// expect: preemptions=(\\d+) inevitable")))
      return {static_cast<std::uint32_t>(std::stoul(m[1])), "", "", "", true};
    if (std::regex_match(line, m, std::regex("// expect: preemptions=(\\d+) first=(\\d+) second=(\\d+) pattern=(.*)")))
      return {static_cast<std::uint32_t>(std::stoul(m[1])), m[2], m[3], m[4], false};
  }
  ADD_FAILURE() << file << " states no expectation";
  return {};
}

std::string line_of(const model::ModelProgram& program, const Step& step) {
  const std::string position = program.position(step.where);
  const auto column = position.rfind(':');
  const auto line = position.rfind(':', column - 1);
  return position.substr(line + 1, column - line - 1);
}

ExploreResult explained(model::ModelProgram& program, StrategyOptions strategy, bool minimizing = true) {
  ExploreOptions options;
  options.strategy = strategy;
  options.max_executions = 20'000;
  auto result = explore(program, options);
  EXPECT_TRUE(result.ok());
  explain_findings(program, *result, {.minimize = minimizing});
  return std::move(*result);
}

std::vector<StrategyOptions> ways() {
  std::vector<StrategyOptions> all(4);
  all[1].algorithm = Algorithm::kExhaustive;
  all[2].algorithm = Algorithm::kRandom;
  all[2].seed = 3;
  all[3].algorithm = Algorithm::kPos;
  all[3].seed = 11;
  return all;
}

TEST(Minimize, StatedTruths) {
  int programs = 0;
  for (const auto& entry : std::filesystem::directory_iterator(HEDDLE_SOURCE_DIR "/test/explore/explained")) {
    ++programs;
    const Expected expected = expected_of(entry.path());
    for (const StrategyOptions& way : ways()) {
      SCOPED_TRACE(entry.path().filename().string() + " by " + std::string(name_of(way.algorithm)));
      auto program = model::load_model(entry.path(), {});
      ASSERT_TRUE(program.ok()) << program.error().message;
      const ExploreResult result = explained(**program, way);
      ASSERT_EQ(result.findings.size(), 1u);
      const Finding& finding = result.findings.front();
      const Explanation& why = finding.explanation;
      EXPECT_TRUE(why.minimized);
      EXPECT_EQ(why.shown.preemptions, expected.preemptions);
      EXPECT_LE(why.shown, why.found);
      EXPECT_EQ(why.inevitable, expected.inevitable);
      EXPECT_STREQ(name_of(why.pattern), expected.pattern.c_str());
      if (expected.inevitable) continue;
      const Step* first = step_at(finding.execution, why.first);
      const Step* second = step_at(finding.execution, why.second);
      ASSERT_TRUE(first != nullptr && second != nullptr);
      EXPECT_EQ(line_of(**program, *first), expected.first);
      EXPECT_EQ(line_of(**program, *second), expected.second);
      EXPECT_NE(first->thread, second->thread);
    }
  }
  EXPECT_GE(programs, 5);
}

TEST(Minimize, ShownRunsReplayAndReversedRunsSucceed) {
  for (const auto& entry : std::filesystem::directory_iterator(HEDDLE_SOURCE_DIR "/test/explore/explained")) {
    auto program = model::load_model(entry.path(), {});
    ASSERT_TRUE(program.ok());
    const ExploreResult result = explained(**program, {});
    ASSERT_EQ(result.findings.size(), 1u) << entry;
    const Finding& finding = result.findings.front();
    Execution again;
    replay(**program, finding.schedule, again);
    EXPECT_NE(failure_like(again, finding.failure), nullptr) << entry;
    if (finding.explanation.inevitable) continue;
    replay(**program, finding.explanation.reversed_schedule, again);
    EXPECT_EQ(again.outcome, Outcome::kComplete) << entry;
  }
}

// The smallest number of pre-emptions is what an exploration under that bound finds, and none below.
TEST(Minimize, AgreesWithBoundedSearch) {
  const std::string folder = HEDDLE_SOURCE_DIR "/test/explore/explained/";
  for (const char* name : {"lost_update.hed", "check_then_act.hed", "lock_order.hed", "lost_wakeup.hed"}) {
    auto program = model::load_model(folder + name, {});
    ASSERT_TRUE(program.ok());
    StrategyOptions random;
    random.algorithm = Algorithm::kRandom;
    const std::uint32_t shown = explained(**program, random).findings.at(0).explanation.shown.preemptions;
    for (std::uint32_t bound = 0; bound <= shown; ++bound) {
      ExploreOptions options;
      options.strategy.preemptions = bound;
      auto result = explore(**program, options);
      ASSERT_TRUE(result.ok());
      EXPECT_EQ(result->findings.empty(), bound < shown) << name << " bound " << bound;
    }
  }
}

TEST(Minimize, IsDeterministic) {
  const std::string file = HEDDLE_SOURCE_DIR "/test/explore/explained/check_then_act.hed";
  auto program = model::load_model(file, {});
  ASSERT_TRUE(program.ok());
  StrategyOptions random;
  random.algorithm = Algorithm::kRandom;
  const Finding a = explained(**program, random).findings.at(0);
  const Finding b = explained(**program, random).findings.at(0);
  EXPECT_EQ(a.schedule, b.schedule);
  EXPECT_EQ(a.explanation.reversed_schedule, b.explanation.reversed_schedule);
  EXPECT_EQ(a.explanation.runs, b.explanation.runs);
}

TEST(Minimize, LeavesTheRawScheduleIfAsked) {
  const std::string file = HEDDLE_SOURCE_DIR "/test/explore/explained/lost_update.hed";
  auto program = model::load_model(file, {});
  ASSERT_TRUE(program.ok());
  StrategyOptions random;
  random.algorithm = Algorithm::kRandom;
  ExploreOptions options;
  options.strategy = random;
  options.max_executions = 1000;
  auto raw = explore(**program, options);
  ASSERT_TRUE(raw.ok());
  const ExploreResult kept = explained(**program, random, false);
  EXPECT_EQ(kept.findings.at(0).schedule, raw->findings.at(0).schedule);
  EXPECT_FALSE(kept.findings.at(0).explanation.minimized);
  EXPECT_TRUE(kept.findings.at(0).explanation.has_pair());
}

TEST(Minimize, EffortIsBounded) {
  const std::string file = HEDDLE_SOURCE_DIR "/test/explore/explained/check_then_act.hed";
  auto program = model::load_model(file, {});
  ASSERT_TRUE(program.ok());
  auto result = explore(**program, {});
  ASSERT_TRUE(result.ok());
  explain_findings(**program, *result, {.max_runs = 5});
  EXPECT_LE(result->findings.at(0).explanation.runs, 12u);
  Execution again;
  replay(**program, result->findings.at(0).schedule, again);
  EXPECT_NE(failure_like(again, result->findings.at(0).failure), nullptr);
}

TEST(Prefix, ExploresOnlyWhatFollows) {
  const std::string file = HEDDLE_SOURCE_DIR "/test/explore/explained/lost_update.hed";
  auto program = model::load_model(file, {});
  ASSERT_TRUE(program.ok());
  ExploreOptions options;
  options.all = true;
  // Both tellers have read: every continuation loses a payment, and the two writes can come in either order.
  options.prefix = {{ThreadId(0), 0}, {ThreadId(1), 0}};
  auto result = explore(**program, options);
  ASSERT_TRUE(result.ok());
  EXPECT_TRUE(result->exhausted());
  EXPECT_EQ(result->classes, 2u);
  EXPECT_EQ(result->failed, 2u);
  ASSERT_EQ(result->findings.size(), 1u);
  Execution again;
  replay(**program, result->findings[0].schedule, again);
  const Failure* failure = failure_like(again, result->findings[0].failure);
  ASSERT_NE(failure, nullptr);
  EXPECT_EQ(failure->step, result->findings[0].failure.step);
  EXPECT_EQ(result->findings[0].execution.steps[1].thread, ThreadId(1));
}

}  // namespace
}  // namespace heddle::explore
