// Every algorithm with symbolic inputs against brute force over all inputs and interleavings of random programs.
// HEDDLE_SWEEP=N multiplies the number of programs; a disagreement is shrunk and printed as a model.
#include <gtest/gtest.h>

#include <cstdlib>

#include "check/input_oracle.h"
#include "check/random_script.h"

namespace heddle::check {
namespace {

using explore::Algorithm;
using explore::OrderKind;
using explore::StrategyOptions;

constexpr std::uint64_t kRuns = 3'000;  // more, and brute force is left out

std::vector<StrategyOptions> variants() {
  std::vector<StrategyOptions> all;
  for (const Algorithm a : {Algorithm::kExhaustive, Algorithm::kDpor, Algorithm::kDporTraversing, Algorithm::kDporCr,
                            Algorithm::kRaceFlip, Algorithm::kSourceDpor, Algorithm::kOptimalDpor}) {
    StrategyOptions o;
    o.algorithm = a;
    all.push_back(o);
    if (a == Algorithm::kSourceDpor || a == Algorithm::kOptimalDpor) continue;
    o.sleep_sets = true;
    all.push_back(o);
  }
  for (const Algorithm a : {Algorithm::kOptimalDpor, Algorithm::kSourceDpor}) {
    StrategyOptions o;
    o.algorithm = a;
    o.order = {OrderKind::kStride, 5};
    all.push_back(o);
  }
  return all;
}

std::string describe(const StrategyOptions& o) {
  return std::string(name_of(o.algorithm)) + (o.sleep_sets ? " --sleep-sets" : "") +
         (o.order.kind != OrderKind::kDfs ? " --order=stride:5" : "");
}

std::string minimal_example(const Script& script, const StrategyOptions& options) {
  const auto wrong = [&](const Script& s) {
    const auto truth = brute_force_inputs(s, kRuns);
    return truth ? disagreement_on_inputs(s, *truth, options) : std::string();
  };
  const Script smallest = shrink(script, [&](const Script& s) { return !wrong(s).empty(); });
  return to_source(smallest) + wrong(smallest);
}

class InputOracle : public testing::TestWithParam<std::uint64_t> {};

TEST_P(InputOracle, EveryAlgorithmFindsWhatBruteForceFinds) {
  const char* times = std::getenv("HEDDLE_SWEEP");
  const std::uint64_t wanted = 60 * static_cast<std::uint64_t>(times ? std::max(1, std::atoi(times)) : 1);
  std::uint64_t judged = 0, classes = 0, branching = 0;
  for (std::uint64_t seed = GetParam() * 1'000'000; judged < wanted; ++seed) {
    const Script script = random_input_script(seed);
    const auto truth = brute_force_inputs(script, kRuns);
    if (!truth) continue;
    std::uint64_t with_branches = 0;
    for (const std::string& form : truth->classes) with_branches += form.find('|') != form.npos;
    if (with_branches < 3) continue;  // says little about inputs
    ++judged;
    classes += truth->classes.size();
    branching += with_branches;
    for (const StrategyOptions& options : variants()) {
      const std::string wrong = disagreement_on_inputs(script, *truth, options);
      ASSERT_EQ(wrong, "") << describe(options) << ", seed " << seed << "\n" << minimal_example(script, options);
    }
  }
  EXPECT_GT(classes, 4 * judged) << "the programs have become too simple to tell anything";
  EXPECT_GT(2 * branching, classes) << "too few programs branch on inputs";
}

INSTANTIATE_TEST_SUITE_P(Shards, InputOracle, testing::Range(std::uint64_t{1}, std::uint64_t{7}));

TEST(InputOracleItself, NoticesAMissedPath) {
  Script script;
  script.threads = {{{StmtKind::kInput, 0, 3, 0, {}}, {StmtKind::kIfLess, 0, 2, 0, {{StmtKind::kWrite, 0, 1, 0, {}}}}},
                    {{StmtKind::kRead, 0, 0, 0, {}}}};
  auto truth = brute_force_inputs(script, 1000);
  ASSERT_TRUE(truth);
  EXPECT_EQ(truth->classes.size(), 3u);
  EXPECT_EQ(disagreement_on_inputs(script, *truth, {}), "");
  truth->classes.insert("a path that nobody can find");
  EXPECT_NE(disagreement_on_inputs(script, *truth, {}), "");
}

}  // namespace
}  // namespace heddle::check
