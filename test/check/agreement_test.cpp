// Programs too large for brute force: the algorithms must agree with each other on the set of classes. This is
// what showed that optimal-dpor must look at all races of an execution, and at its whole rest.
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "check/plain_optimal_dpor.h"
#include "check/random_script.h"
#include "check/script_program.h"
#include "explore/explorer.h"
#include "explore/optimal_dpor.h"
#include "trace/fingerprint.h"

namespace heddle::check {
namespace {

using namespace explore;

struct Explored {
  std::set<std::uint64_t> classes;
  std::uint64_t asleep = 0;
  bool exhausted = false;
};

Explored run(const Script& script, Algorithm algorithm, bool sleep_sets, std::uint64_t limit) {
  ScriptProgram program(script);
  Explored found;
  Fingerprinter fingerprint;
  ExploreOptions options;
  options.strategy.algorithm = algorithm;
  options.strategy.sleep_sets = sleep_sets;
  options.all = true;
  options.max_executions = limit;
  options.on_execution = [&](const Execution& e) {
    if (e.outcome != Outcome::kAsleep && e.outcome != Outcome::kInfeasible) found.classes.insert(fingerprint(e));
  };
  const auto result = explore::explore(program, options);
  EXPECT_TRUE(result.ok());
  found.asleep = result.value().asleep;
  found.exhausted = result.value().exhausted();
  return found;
}

std::string compare(const Script& script) {
  constexpr std::uint64_t kLimit = 20'000;
  const Explored source = run(script, Algorithm::kSourceDpor, false, kLimit);
  if (!source.exhausted) return {};
  const Explored optimal = run(script, Algorithm::kOptimalDpor, false, 2 * kLimit);
  if (!optimal.exhausted || optimal.classes != source.classes)
    return "optimal-dpor finds " + std::to_string(optimal.classes.size()) + " classes, source-dpor " +
           std::to_string(source.classes.size());
  if (optimal.asleep > 0) return "optimal-dpor was sleep-set blocked";
  const Explored reads = run(script, Algorithm::kDporCr, true, 20 * kLimit);
  if (reads.exhausted && reads.classes != source.classes)
    return "dpor-cr finds " + std::to_string(reads.classes.size()) + " classes, source-dpor " +
           std::to_string(source.classes.size());
  return {};
}

class Agreement : public testing::TestWithParam<std::uint64_t> {
  void SetUp() override { slow_checks = true; }
  void TearDown() override { slow_checks = false; }
};

TEST_P(Agreement, OnProgramsTooLargeForBruteForce) {
  const char* times = std::getenv("HEDDLE_SWEEP");
  const std::uint64_t programs = 350 * (times ? std::max(1, std::atoi(times)) : 1);
  for (std::uint64_t i = 0; i < programs; ++i) {
    const std::uint64_t seed = GetParam() * 1'000'000 + i;
    const Script script = seed % 5 == 0   ? random_synchronised_script(seed)
                          : seed % 5 == 1 ? random_ending_script(seed)
                          : seed % 5 == 2 ? random_assuming_script(seed)
                                          : random_large_script(seed);
    const std::string wrong = compare(script);
    ASSERT_EQ(wrong, "") << "seed " << seed << "\n"
                         << to_source(shrink(script, [](const Script& s) { return !compare(s).empty(); }));
  }
}

// Execution by execution: what optimal-dpor remembers of races changes nothing but what they cost.
std::string compare_with_the_plain_one(const Script& script, std::uint64_t limit) {
  ScriptProgram program(script), other_program(script);
  OptimalDpor optimal;
  PlainOptimalDpor plain;
  Schedule schedule, other;
  Execution execution;
  for (std::uint64_t i = 0; i < limit; ++i) {
    const std::string where = "execution " + std::to_string(i) + ": ";
    const bool more = optimal.next(schedule);
    if (more != plain.next(other)) return where + (more ? "the plain one has ended" : "the plain one goes on");
    if (!more) return {};
    if (schedule.steps != other.steps) return where + "the schedules differ";
    if (schedule.fresh != other.fresh || schedule.sleep != other.sleep) return where + "the sleep sets differ";
    program.run(schedule, execution);
    optimal.learn(execution);
    other_program.run(other, execution);
    plain.learn(execution);
  }
  return {};
}

TEST_P(Agreement, OptimalDporIsThatOfThePaper) {
  for (std::uint64_t i = 0; i < 250; ++i) {
    const std::uint64_t seed = GetParam() * 1'000'000 + 500'000 + i;
    const Script script = seed % 5 == 0   ? random_synchronised_script(seed)
                          : seed % 5 == 1 ? random_ending_script(seed)
                          : seed % 5 == 2 ? random_assuming_script(seed)
                                          : random_large_script(seed);
    const auto wrong = [](const Script& s) { return compare_with_the_plain_one(s, 1'000); };
    ASSERT_EQ(wrong(script), "") << "seed " << seed << "\n"
                                 << to_source(shrink(script, [&](const Script& s) { return !wrong(s).empty(); }));
  }
}

INSTANTIATE_TEST_SUITE_P(Shards, Agreement, testing::Range(std::uint64_t{0}, std::uint64_t{4}));

// An execution may be shorter than what is remembered of another speaks of.
using Regressions = Agreement;
TEST_F(Regressions, ExecutionsOfManyLengths) {
  Script script;
  script.variables = 2;
  script.locks = 1;
  const Stmt read{StmtKind::kRead, 0, 0, 0, {}}, pass_on{StmtKind::kCopy, 1, 1, 0, {}};
  script.threads = {{{StmtKind::kWrite, 0, 2, 0, {}}},
                    {{StmtKind::kLocked, 0, 0, 0, {}}},
                    {{StmtKind::kExit, 0, 0, 0, {}}},
                    {read, pass_on},
                    {read, pass_on, {StmtKind::kTryLocked, 0, 0, 0, {}}}};
  EXPECT_EQ(compare(script), "");
}

}  // namespace
}  // namespace heddle::check
