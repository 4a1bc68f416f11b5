// Findings of one execution and their order.
#include <gtest/gtest.h>

#include "explore/explorer.h"

namespace heddle::explore {
namespace {

TEST(Findings, MattersOfTasteComeLast) {
  auto exploration = Exploration::begin({});
  ASSERT_TRUE(exploration);
  ASSERT_NE(exploration->next(), nullptr);
  trace::Execution execution;
  execution.outcome = trace::Outcome::kFailed;
  execution.threads = 1;
  execution.failures = {{trace::FailureKind::kExitCode, 0, ThreadId(0), 1, "code 3"},
                        {trace::FailureKind::kExitWithThreads, 0, ThreadId(0), 2, "lost work"},
                        {trace::FailureKind::kAssertion, 0, ThreadId(0), 3, "x == 1"}};
  ASSERT_FALSE(exploration->learn(execution));
  const ExploreResult result = exploration->conclude();
  ASSERT_EQ(result.findings.size(), 3u);
  EXPECT_EQ(result.findings[0].failure.kind, trace::FailureKind::kAssertion);
  EXPECT_EQ(result.findings[1].failure.kind, trace::FailureKind::kExitCode);
  EXPECT_EQ(result.findings[2].failure.kind, trace::FailureKind::kExitWithThreads);
}

}  // namespace
}  // namespace heddle::explore
