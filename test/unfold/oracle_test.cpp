// Brute force on random scripts: the same events with the same pasts, the same failures, the same deadlocks.
#include "check/unfolding_oracle.h"

#include <gtest/gtest.h>

#include "check/random_script.h"

namespace heddle::unfold {
namespace {

class Oracle : public testing::TestWithParam<Variant> {};

TEST_P(Oracle, AgreesOnRandomScripts) {
  int compared = 0;
  UnfoldingOptions options;
  options.variant = GetParam();
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const check::Script script = check::random_script(seed);
    const auto disagreement = check::unfolding_disagreement(script, options, 5'000);
    if (!disagreement) continue;
    ++compared;
    EXPECT_EQ(*disagreement, "") << "seed " << seed << "\n" << check::to_source(script);
  }
  EXPECT_GT(compared, 200);
}

// Semaphores, barriers, reader-writer locks, timed waits, exits.
TEST_P(Oracle, AgreesOnRandomSynchronisation) {
  int compared = 0;
  UnfoldingOptions options;
  options.variant = GetParam();
  for (std::uint64_t seed = 0; seed < 900; ++seed) {
    const check::Script script = check::random_synchronised_script(seed);
    const auto disagreement = check::unfolding_disagreement(script, options, 3'000);
    if (!disagreement) continue;
    ++compared;
    EXPECT_EQ(*disagreement, "") << "seed " << seed << "\n" << check::to_source(script);
  }
  EXPECT_GT(compared, 700);
}

// Who waits at a barrier is in a state of its own even if every execution so far has woken it: nobody may come.
TEST_P(Oracle, SeesWaitersThatOthersHaveWoken) {
  using check::Stmt, check::StmtKind;
  const Stmt arrive{StmtKind::kArrive, 0, 0, 0, {}};
  const Stmt arrive_locked{StmtKind::kTryLocked, 0, 0, 0, {arrive}};
  check::Script script;
  script.threads = {{arrive, arrive}, {arrive_locked}, {arrive_locked}};
  UnfoldingOptions options;
  options.variant = GetParam();
  EXPECT_EQ(check::unfolding_disagreement(script, options, 10'000), "");
}

TEST_P(Oracle, AgreesWithOneTargetPerExecution) {
  UnfoldingOptions options;
  options.variant = GetParam();
  options.several_targets = false;
  for (std::uint64_t seed = 300; seed < 360; ++seed) {
    const check::Script script = check::random_script(seed);
    const auto disagreement = check::unfolding_disagreement(script, options, 2'000);
    EXPECT_EQ(disagreement.value_or(""), "") << "seed " << seed << "\n" << check::to_source(script);
  }
}

INSTANTIATE_TEST_SUITE_P(Both, Oracle, testing::Values(Variant::kPlaceReplicated, Variant::kContextual),
                         [](const auto& info) {
                           return info.param == Variant::kPlaceReplicated ? "PlaceReplicated" : "Contextual";
                         });

}  // namespace
}  // namespace heddle::unfold
