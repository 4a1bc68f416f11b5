// Brute force on random scripts: the same events with the same pasts, the same failures, the same deadlocks.
#include "check/unfolding_oracle.h"

#include <gtest/gtest.h>

#include "base/assert.h"
#include "check/random_script.h"
#include "model/model_program.h"

namespace heddle::unfold {
namespace {

class Oracle : public testing::TestWithParam<Variant> {
  void SetUp() override { slow_checks = true; }
  void TearDown() override { slow_checks = false; }
};

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

TEST_P(Oracle, AgreesOnWaitingLoops) {
  int compared = 0;
  UnfoldingOptions options;
  options.variant = GetParam();
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    const check::Script script =
        seed % 3 == 0 ? check::random_polling_script(seed) : check::random_waiting_script(seed);
    const auto disagreement = check::unfolding_disagreement(script, options, 3'000);
    if (!disagreement) continue;
    ++compared;
    EXPECT_EQ(*disagreement, "") << "seed " << seed << "\n" << check::to_source(script);
  }
  EXPECT_GT(compared, 400);
}

// What happens beside an assumption that fails counts for nothing.
TEST_P(Oracle, AgreesOnRandomAssumptions) {
  int compared = 0;
  UnfoldingOptions options;
  options.variant = GetParam();
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    const check::Script script = check::random_assuming_script(seed);
    const auto disagreement = check::unfolding_disagreement(script, options, 3'000);
    if (!disagreement) continue;
    ++compared;
    EXPECT_EQ(*disagreement, "") << "seed " << seed << "\n" << check::to_source(script);
  }
  EXPECT_GT(compared, 400);
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

// The unfolding of all interleavings with symbolic inputs. Nothing if there are too many.
std::optional<std::string> disagreement_with_inputs(const std::string& source, UnfoldingOptions options) {
  model::ModelOptions symbolic;
  symbolic.inputs = model::InputMode::kSymbolic;
  auto model = model::load_model_text(source, "script.hed", {}, symbolic);
  if (!model) return model.error().message;
  options.feasibility = model->get();
  return check::unfolding_disagreement(**model, options, 3'000);
}

TEST_P(Oracle, AgreesOnRandomInputs) {
  int compared = 0;
  UnfoldingOptions options;
  options.variant = GetParam();
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    for (const check::Script& script : {check::random_input_script(seed), check::random_spawning_input_script(seed)}) {
      const std::string source = check::to_source(script);
      const auto disagreement = disagreement_with_inputs(source, options);
      if (!disagreement) continue;
      ++compared;
      EXPECT_EQ(*disagreement, "") << "seed " << seed << "\n" << source;
    }
  }
  EXPECT_GT(compared, 450);
}

// Which elements the third thread can reach depends on what the second one found out about the same input.
TEST_P(Oracle, AgreesOnBranchesOfManyOutcomes) {
  UnfoldingOptions options;
  options.variant = GetParam();
  EXPECT_EQ(disagreement_with_inputs("shared int a[5]; shared int x;"
                                     "thread t0 { x = input() & 7; }"
                                     "thread t1 { int r = x; if (r < 2) { a[4] = 1; } }"
                                     "thread t2 { int r = x; if (r < 5) { a[r] = a[r] + 1; } assert(r != 3); }",
                                     options),
            "");
}

// The first execution may run the assertion only together with the assumption's failure.
TEST_P(Oracle, FindsFailuresBesideAssumptions) {
  UnfoldingOptions options;
  options.variant = GetParam();
  EXPECT_EQ(disagreement_with_inputs("shared int x, y;"
                                     "thread t0 { int r = x; assume(r == 1); }"
                                     "thread t1 { x = 1; int r = y; assert(r == 0); }"
                                     "thread t2 { y = 1; }",
                                     options),
            "");
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
                         [](const auto& variant) {
                           return variant.param == Variant::kPlaceReplicated ? "PlaceReplicated" : "Contextual";
                         });

}  // namespace
}  // namespace heddle::unfold
