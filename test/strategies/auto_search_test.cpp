// The default search is compared with optimal-dpor alone, which is compared with brute force (test/check). The work
// that optimal-dpor has to itself is made so small that the other searches have their turns in small programs, too.
#include "strategies/auto_search.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <set>
#include <vector>

#include "check/random_script.h"
#include "check/script_program.h"
#include "explore/orders_bound.h"

namespace heddle::strategies {
namespace {

using check::Script;
using check::ScriptProgram;
using check::StmtKind;
using explore::ExploreOptions;
using explore::ExploreResult;

ExploreOptions automatic() {
  ExploreOptions options;
  options.strategy.automatic = true;
  options.all = true;
  return options;
}

ExploreResult by_auto(const Script& script, const ExploreOptions& options, const AutoOptions& how) {
  ScriptProgram program(script);
  auto result = explore_auto(program, options, {}, how);
  EXPECT_TRUE(result.ok()) << result.error().message;
  return std::move(*result);
}

ExploreResult alone(const Script& script, ExploreOptions options) {
  options.strategy.automatic = false;
  ScriptProgram program(script);
  auto result = explore::explore(program, options);
  EXPECT_TRUE(result.ok()) << result.error().message;
  return std::move(*result);
}

// Which deadlock is met first, and so its words, differs between algorithms.
std::set<std::pair<trace::FailureKind, std::uint32_t>> found(const ExploreResult& result) {
  std::set<std::pair<trace::FailureKind, std::uint32_t>> kinds;
  for (const explore::Finding& finding : result.findings) {
    const bool deadlock = finding.failure.kind == trace::FailureKind::kDeadlock;
    kinds.insert({finding.failure.kind, deadlock ? 0 : finding.failure.where});
  }
  return kinds;
}

Script lost_update(int threads) {
  Script script;
  script.variables = 1;
  for (int t = 0; t < threads; ++t)
    script.threads.push_back({{StmtKind::kRead, 0, 0, 0, {}}, {StmtKind::kCopy, 0, 1, 0, {}}});
  return script;
}

// What the default search finds is what optimal-dpor finds; where it gives the verdict, so are the counts. True: an
// unfolding was faster.
bool agree(const ExploreResult& truth, const ExploreResult& result) {
  EXPECT_TRUE(result.exhausted()) << result.reason();
  EXPECT_EQ(found(result), found(truth)) << result.algorithm;
  if (result.algorithm != "optimal-dpor") {
    EXPECT_EQ(result.algorithm, "contextual-unfolding");
    return true;
  }
  EXPECT_EQ(result.executions, truth.executions);
  EXPECT_EQ(result.classes, truth.classes);
  EXPECT_EQ(result.deadlocked, truth.deadlocked);
  return false;
}

TEST(AutoSearch, EndsWithWhatOptimalDporFinds) {
  std::size_t with_parts = 0, bugs = 0;
  for (std::uint64_t seed = 0; seed < 1200; ++seed) {
    const Script script = check::random_script(seed);
    ExploreOptions limited = automatic();
    limited.max_executions = 3000;
    const ExploreResult truth = alone(script, limited);
    if (!truth.exhausted()) continue;
    for (const std::uint64_t first : {1, 300, 5000}) {
      const ExploreResult result = by_auto(script, automatic(), {.unfolding = seed % 2 == 0, .first = first});
      agree(truth, result);
      with_parts += result.parts.empty() ? 0 : 1;
      bugs += result.findings.empty() ? 0 : 1;
      ASSERT_FALSE(HasFailure()) << "seed " << seed << ", first " << first;
    }
  }
  EXPECT_GT(with_parts, 100u);
  EXPECT_GT(bugs, 20u);
}

// Where many read what others write, an unfolding needs few executions and gives the verdict.
TEST(AutoSearch, EndsAsWellWhereAnUnfoldingIsFaster) {
  std::size_t by_unfolding = 0, bugs = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    Script script = check::random_script(seed);
    for (int reader = 0; reader < 6; ++reader) script.threads.push_back({{StmtKind::kRead, 0, 0, 0, {}}});
    ExploreOptions limited = automatic();
    limited.max_executions = 20'000;
    const ExploreResult truth = alone(script, limited);
    if (!truth.exhausted()) continue;
    const ExploreResult result = by_auto(script, automatic(), {.unfolding = true, .first = 50});
    if (agree(truth, result)) {
      ++by_unfolding;
      bugs += result.findings.empty() ? 0 : 1;
    }
    ASSERT_FALSE(HasFailure()) << "seed " << seed;
  }
  EXPECT_GT(by_unfolding, 20u);
  EXPECT_GT(bugs, 0u);
}

TEST(AutoSearch, SmallSearchesAreOptimalDporAndNothingElse) {
  const ExploreResult result = by_auto(lost_update(3), automatic(), {.unfolding = true});
  EXPECT_EQ(result.algorithm, "optimal-dpor");
  EXPECT_EQ(result.executions, 36u);
  EXPECT_TRUE(result.parts.empty());
  EXPECT_EQ(result.samples, 0u);
}

double bits(const Script& script) {
  ScriptProgram program(script);
  trace::Execution execution;
  explore::replay(program, {}, execution);
  return explore::log2_of_orders(execution, 1000);
}

TEST(OrdersBound, IsTheNumberOfWaysToShuffle) {
  EXPECT_NEAR(bits(lost_update(2)), std::log2(6), 1e-9);   // 4! / (2! 2!)
  EXPECT_NEAR(bits(lost_update(3)), std::log2(90), 1e-9);  // 6! / (2! 2! 2!)
  Script apart = lost_update(1);                           // nobody else is there
  EXPECT_EQ(bits(apart), 0);
  Script readers;  // what commutes has no order
  readers.variables = 1;
  for (int t = 0; t < 4; ++t) readers.threads.push_back({{StmtKind::kRead, 0, 0, 0, {}}});
  EXPECT_EQ(bits(readers), 0);
  readers.threads.push_back({{StmtKind::kWrite, 0, 1, 0, {}}});
  EXPECT_NEAR(bits(readers), std::log2(120), 1e-9);
}

// One that may be large begins with samples: not more than a part of the budget, which may be just enough.
TEST(AutoSearch, DrawsSamplesFirstWhereTheSearchMayBeLarge) {
  ExploreOptions options = automatic();
  options.max_executions = 3200;
  const ExploreResult result = by_auto(lost_update(7), options, {});
  EXPECT_EQ(result.algorithm, "auto");
  EXPECT_EQ(result.executions, 3200u);
  EXPECT_EQ(result.samples, 100u);
}

TEST(AutoSearch, DoesNotMentionSamplesOfASearchThatWasSmall) {
  const ExploreResult result = by_auto(lost_update(5), automatic(), {.first = 1 << 24});
  EXPECT_EQ(result.algorithm, "optimal-dpor");
  EXPECT_EQ(result.executions, alone(lost_update(5), automatic()).executions);
  EXPECT_TRUE(result.exhausted());
  EXPECT_TRUE(result.parts.empty());
  EXPECT_EQ(result.samples, 0u);
}

// Somebody else unfolds: it is given work, more each time, until it gives up.
TEST(AutoSearch, GrantsWorkToAnUnfoldingElsewhere) {
  std::vector<std::uint64_t> granted;
  AutoOptions how{.first = 2000};
  how.unfold_elsewhere = [&](std::uint64_t work) {
    granted.push_back(work);
    return granted.size() < 3 ? work : 0;
  };
  const ExploreResult result = by_auto(lost_update(5), automatic(), how);
  EXPECT_EQ(result.algorithm, "optimal-dpor");
  EXPECT_TRUE(result.exhausted());
  EXPECT_EQ(granted.size(), 3u);
}

TEST(AutoSearch, GivesUpInAMomentIfOnlyTheFirstPartIsWanted) {
  const ExploreResult open = by_auto(lost_update(6), automatic(), {.first_only = true});
  EXPECT_FALSE(open.ended);
  EXPECT_TRUE(open.gaps.empty());
  EXPECT_TRUE(open.findings.empty());
  const ExploreResult small = by_auto(lost_update(3), automatic(), {.first_only = true});
  EXPECT_TRUE(small.exhausted());
  EXPECT_EQ(small.executions, 36u);
}

TEST(AutoSearch, SaysWhatWasDoneWhereNothingEnds) {
  ExploreOptions options = automatic();
  options.max_executions = 20'000;
  const ExploreResult result = by_auto(lost_update(7), options, {.first = 500});
  EXPECT_EQ(result.algorithm, "auto");
  EXPECT_EQ(result.executions, 20'000u);
  EXPECT_FALSE(result.exhausted());
  EXPECT_TRUE(result.has_gap(explore::Cause::kExecutionBudget));
  EXPECT_GT(result.samples, 100u);
  EXPECT_GT(result.estimate.total, static_cast<double>(result.searched()));
  EXPECT_EQ(std::accumulate(result.parts.begin(), result.parts.end(), std::uint64_t{0},
                            [](std::uint64_t sum, const auto& part) { return sum + part.executions; }),
            20'000u);
  ASSERT_TRUE(result.complete_preemptions);
  EXPECT_NE(result.reason().find("pre-emption"), std::string::npos) << result.reason();
  for (std::uint32_t k = 0; k <= *result.complete_preemptions; ++k) {
    ExploreOptions bounded = automatic();
    bounded.strategy.preemptions = k;
    const ExploreResult truth = alone(lost_update(7), bounded);
    const auto part = std::find_if(result.parts.begin(), result.parts.end(),
                                   [&](const auto& p) { return p.algorithm == truth.algorithm; });
    ASSERT_NE(part, result.parts.end()) << truth.algorithm;
    EXPECT_TRUE(part->ended);
    EXPECT_EQ(part->classes, truth.classes);
  }
}

TEST(AutoSearch, RunsTheSameTwice) {
  ExploreOptions options = automatic();
  options.max_executions = 5'000;
  const ExploreResult once = by_auto(lost_update(6), options, {.unfolding = true, .first = 700});
  const ExploreResult again = by_auto(lost_update(6), options, {.unfolding = true, .first = 700});
  EXPECT_EQ(once.parts, again.parts);
  EXPECT_EQ(once.steps, again.steps);
  EXPECT_EQ(once.classes, again.classes);
}

TEST(AutoSearch, LeavesAloneWhatAsksForOneSearch) {
  ExploreOptions options = automatic();
  EXPECT_TRUE(explores_auto(options));
  options.strategy.preemptions = 1;
  EXPECT_FALSE(explores_auto(options));
  options = automatic();
  options.strategy.algorithm = explore::Algorithm::kTrust;
  EXPECT_FALSE(explores_auto(options));
  options = automatic();
  options.on_execution = [](const trace::Execution&) {};
  EXPECT_FALSE(explores_auto(options));
}

}  // namespace
}  // namespace heddle::strategies
