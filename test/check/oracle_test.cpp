// Every algorithm, with its modifiers, against brute force on random programs. HEDDLE_SWEEP=N multiplies the number
// of programs; a disagreement is shrunk and printed as a model.
#include "check/oracle.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <tuple>

#include "check/random_script.h"

namespace heddle::check {
namespace {

using explore::Algorithm;
using explore::OrderKind;
using explore::StrategyOptions;

constexpr std::uint64_t kShards = 10;
constexpr std::uint64_t kProgramsPerShard = 250;
constexpr std::uint64_t kInterleavings = 2000;  // more, and brute force is left out

std::uint64_t programs_per_shard() {
  const char* times = std::getenv("HEDDLE_SWEEP");
  return kProgramsPerShard * (times ? std::max(1, std::atoi(times)) : 1);
}

std::string describe(const StrategyOptions& o) {
  std::string text(name_of(o.algorithm));
  if (o.sleep_sets) text += " --sleep-sets";
  if (o.preemptions) text += " --preemptions=" + std::to_string(*o.preemptions);
  if (o.order.kind != OrderKind::kDfs) text += " --order=" + std::to_string(static_cast<int>(o.order.kind));
  return text;
}

std::vector<StrategyOptions> variants() {
  std::vector<StrategyOptions> all;
  for (Algorithm a : {Algorithm::kExhaustive, Algorithm::kDpor, Algorithm::kDporTraversing, Algorithm::kDporCr,
                      Algorithm::kClockVector, Algorithm::kJpfSharing, Algorithm::kRaceFlip, Algorithm::kSourceDpor,
                      Algorithm::kOptimalDpor}) {
    StrategyOptions o;
    o.algorithm = a;
    all.push_back(o);
    if (a != Algorithm::kSourceDpor && a != Algorithm::kOptimalDpor) {
      o.sleep_sets = true;
      all.push_back(o);
    }
  }
  for (std::uint32_t k = 0; k < 4; ++k) {
    for (Algorithm a : {Algorithm::kExhaustive, Algorithm::kDporCr, Algorithm::kOptimalDpor}) {
      StrategyOptions o;
      o.algorithm = a;
      o.preemptions = k;
      all.push_back(o);
    }
  }
  for (OrderKind order :
       {OrderKind::kBitReversal, OrderKind::kRoundRobin, OrderKind::kStride, OrderKind::kConflictFirst}) {
    for (Algorithm a : {Algorithm::kDporCr, Algorithm::kSourceDpor, Algorithm::kOptimalDpor}) {
      StrategyOptions o;
      o.algorithm = a;
      o.sleep_sets = a == Algorithm::kDporCr;
      o.order = {order, 7};
      all.push_back(o);
    }
  }
  return all;
}

// The smallest program on which the variant still disagrees, with what is wrong there.
std::string minimal_example(const Script& script, const StrategyOptions& options) {
  const auto wrong = [&](const Script& s) {
    const auto truth = brute_force(s, kInterleavings);
    return truth ? disagreement(s, *truth, options) : std::string();
  };
  const Script smallest = shrink(script, [&](const Script& s) { return !wrong(s).empty(); });
  return to_source(smallest) + wrong(smallest);
}

class Oracle : public testing::TestWithParam<std::uint64_t> {
  void SetUp() override { slow_checks = true; }
  void TearDown() override { slow_checks = false; }
};

TEST_P(Oracle, EveryAlgorithmFindsWhatBruteForceFinds) {
  const std::uint64_t wanted = programs_per_shard();
  std::uint64_t judged = 0, classes = 0;
  for (std::uint64_t seed = GetParam() * 1'000'000; judged < wanted; ++seed) {
    const Script script = seed % 5 == 0   ? random_synchronised_script(seed)
                          : seed % 5 == 1 ? random_ending_script(seed)
                          : seed % 5 == 2 ? random_assuming_script(seed)
                                          : random_script(seed);
    const auto truth = brute_force(script, kInterleavings);
    if (!truth) continue;
    ++judged;
    classes += truth->classes.size();
    for (const StrategyOptions& options : variants()) {
      const std::string wrong = disagreement(script, *truth, options);
      ASSERT_EQ(wrong, "") << describe(options) << ", seed " << seed << "\n" << minimal_example(script, options);
    }
  }
  RecordProperty("programs", static_cast<int>(judged));
  RecordProperty("classes", static_cast<int>(classes));
  EXPECT_GT(classes, judged) << "the programs have become too simple to tell anything";
}

// Waits that return for no reason: a choice before the wait.
TEST_P(Oracle, SpuriousWakeUps) {
  const std::uint64_t wanted = programs_per_shard() / 5;
  std::uint64_t judged = 0, left = 0;
  for (std::uint64_t seed = GetParam() * 1'000'000; judged < wanted; ++seed) {
    Script script = seed % 2 == 0 ? random_synchronised_script(seed) : random_script(seed);
    const auto without = brute_force(script, kInterleavings);
    script.spurious = true;
    const auto truth = brute_force(script, kInterleavings);
    if (!truth || !without || truth->classes.size() == without->classes.size()) continue;  // nobody waits
    ++judged;
    left += truth->classes.size() - without->classes.size();
    for (const StrategyOptions& options : variants()) {
      const std::string wrong = disagreement(script, *truth, options);
      ASSERT_EQ(wrong, "") << describe(options) << ", seed " << seed << "\n" << minimal_example(script, options);
    }
  }
  EXPECT_GT(left, judged);
}

// Waiting loops (trace/turn.h): threads that look in vain are stopped; what remains when their turns are struck out is
// what comes of loops that are only ever left. To leave a thread that would look in vain is no pre-emption.
TEST_P(Oracle, WaitingLoops) {
  const std::uint64_t wanted = programs_per_shard();
  std::uint64_t judged = 0, classes = 0;
  for (std::uint64_t seed = GetParam() * 1'000'000; judged < wanted; ++seed) {
    const Script script = seed % 3 == 0 ? random_polling_script(seed) : random_waiting_script(seed);
    const auto truth = brute_force(script, kInterleavings);
    if (!truth) continue;
    ++judged;
    classes += truth->classes.size();
    for (const StrategyOptions& options : variants()) {
      const std::string wrong = disagreement(script, *truth, options);
      ASSERT_EQ(wrong, "") << describe(options) << ", seed " << seed << "\n" << minimal_example(script, options);
    }
  }
  EXPECT_GT(classes, judged) << "the programs have become too simple to tell anything";
}

bool ends_process(const std::vector<Stmt>& statements) {
  return std::any_of(statements.begin(), statements.end(),
                     [](const Stmt& s) { return s.kind == StmtKind::kExit || ends_process(s.body); });
}

std::set<std::tuple<bool, std::set<std::string>, std::vector<int>>> ends_of(const Truth& truth) {
  std::set<std::tuple<bool, std::set<std::string>, std::vector<int>>> all;
  for (const auto& [form, c] : truth.classes) all.insert({c.deadlocked, c.failures, c.final_state});
  return all;
}

// Threads that arrive at a barrier in turn (docs/adr/0014): what comes of it is what comes of all orders, by the
// meaning of barriers, each class once; none costs more pre-emptions.
TEST_P(Oracle, ArrivalsInTurn) {
  const std::uint64_t wanted = programs_per_shard();
  std::uint64_t judged = 0, fewer = 0, ending = 0;
  for (std::uint64_t seed = GetParam() * 1'000'000; judged < wanted; ++seed) {
    const Script script = random_synchronised_script(seed);
    const ScriptProgram program(script);
    if (program.users().size() < 2 || program.more_than_needed()) continue;
    const auto in_turn = brute_force_by_rounds(script, 20 * kInterleavings, Arrivals::kInTurn);
    const auto as_they_come = brute_force_by_rounds(script, 20 * kInterleavings, Arrivals::kAsTheyCome);
    if (!in_turn || !as_they_come) continue;
    ++judged;
    fewer += in_turn->interleavings < as_they_come->interleavings;
    ASSERT_EQ(ends_of(*in_turn), ends_of(*as_they_come)) << "seed " << seed << "\n" << to_source(script);
    // Where the process ends, some have come as far as others have not.
    if (std::any_of(script.threads.begin(), script.threads.end(), ends_process)) {
      ++ending;
      continue;
    }
    ASSERT_EQ(in_turn->classes.size(), as_they_come->classes.size()) << "seed " << seed << "\n" << to_source(script);
    for (const auto& [form, c] : in_turn->classes) {
      const auto twin = as_they_come->classes.find(form);
      ASSERT_TRUE(twin != as_they_come->classes.end()) << form << "seed " << seed << "\n" << to_source(script);
      ASSERT_LE(c.preemptions, twin->second.preemptions) << form << "seed " << seed << "\n" << to_source(script);
    }
    const auto truth = brute_force(script, 20 * kInterleavings);
    ASSERT_EQ(truth->classes.size(), in_turn->classes.size()) << "seed " << seed << "\n" << to_source(script);
  }
  EXPECT_GT(fewer, judged / 4) << "there is nothing to tell";
  EXPECT_LT(ending, judged / 2);
}

INSTANTIATE_TEST_SUITE_P(Shards, Oracle, testing::Range(std::uint64_t{1}, kShards + 1));

// A wake-up takes the timeout of a timed wait away, and the execution shows no trace of it (trace/withdrawal.h). Only
// where the waiter came first, or nobody else looked at the mutex, was the timeout met by chance.
TEST(Regressions, TimeoutsThatAWakeUpTakesAway) {
  const Stmt signal{StmtKind::kSignal, 0, 0, 0, {}};
  const Stmt waits{StmtKind::kLocked, 0, 0, 0, {{StmtKind::kTimedWait, 0, 0, 0, {}}}};
  const Stmt tries{StmtKind::kTryLocked, 0, 0, 0, {}};
  const std::pair<std::vector<std::vector<Stmt>>, std::size_t> programs[] = {{{{waits}, {waits, signal}}, 19},
                                                                             {{{signal}, {tries}, {waits}}, 15}};
  for (const auto& [threads, classes] : programs) {
    Script script;
    script.variables = script.locks = script.conditions = 1;
    script.threads = threads;
    const auto truth = brute_force(script, 100'000);
    ASSERT_TRUE(truth);
    EXPECT_EQ(truth->classes.size(), classes);
    for (const StrategyOptions& options : variants())
      EXPECT_EQ(disagreement(script, *truth, options), "") << describe(options) << "\n" << to_source(script);
  }
}

// Where the process ends, others may be about to try something. Whether it would have been a look or a change there was
// not worked out, and optimal-dpor missed classes, or went some ways twice.
TEST(Regressions, AttemptsThatTheEndOfTheProcessForestalls) {
  const Stmt exit{StmtKind::kExit, 0, 0, 0, {}};
  const auto read = [](int x) { return Stmt{StmtKind::kRead, x, 0, 0, {}}; };
  const auto cas = [](int x, int expected, int value) { return Stmt{StmtKind::kCas, x, expected, value, {}}; };
  const std::pair<std::vector<std::vector<Stmt>>, std::size_t> programs[] = {
      {{{read(0), exit}, {cas(0, 1, 2)}}, 2},
      {{{read(1), read(0)}, {cas(1, 1, 1)}, {{StmtKind::kWrite, 0, 1, 0, {}}}, {{StmtKind::kCopy, 0, 1, 0, {}}, exit}},
       28},
      {{{{StmtKind::kLocked, 0, 0, 0, {exit}}}, {{StmtKind::kTryLocked, 0, 0, 0, {}}}}, 3},
      {{{{StmtKind::kSemPost, 0, 0, 0, {}}, exit},
        {{StmtKind::kSemTry, 0, 0, 0, {}}},
        {{StmtKind::kSemTry, 0, 0, 0, {}}}},
       10},
  };
  for (const auto& [threads, classes] : programs) {
    Script script;
    script.variables = 2;
    script.locks = 1;
    script.threads = threads;
    const auto truth = brute_force(script, 100'000);
    ASSERT_TRUE(truth);
    EXPECT_EQ(truth->classes.size(), classes) << to_source(script);
    for (const StrategyOptions& options : variants())
      EXPECT_EQ(disagreement(script, *truth, options), "") << describe(options) << "\n" << to_source(script);
  }
}

// The oracle itself must notice: an algorithm that drops alternatives is caught.
TEST(OracleItself, NoticesAMissedClass) {
  Script script;
  script.threads = {{{StmtKind::kRead, 0, 0, 0, {}}, {StmtKind::kCopy, 0, 1, 0, {}}},
                    {{StmtKind::kRead, 0, 0, 0, {}}, {StmtKind::kCopy, 0, 1, 0, {}}}};
  auto truth = brute_force(script, 100);
  ASSERT_TRUE(truth);
  EXPECT_EQ(truth->interleavings, 6u);
  EXPECT_EQ(truth->classes.size(), 4u);
  EXPECT_EQ(disagreement(script, *truth, {}), "");
  truth->classes["a class that nobody can find"] = {};
  EXPECT_NE(disagreement(script, *truth, {}), "");
}

// x = 1 beside x = 2 are two classes of one member, beside y = 2 they are one class of two.
TEST(OracleItself, CountsTheMembersOfAClass) {
  const auto write = [](int x, int value) { return Stmt{StmtKind::kWrite, x, value, 0, {}}; };
  const auto members = [](const Script& script) {
    std::vector<std::uint64_t> counts;
    const auto truth = brute_force(script, 1'000);
    for (const auto& [form, c] : truth->classes) {
      EXPECT_EQ(c.members, c.linearisations);
      counts.push_back(c.members);
    }
    EXPECT_EQ(truth->uneven, "");
    return counts;
  };
  Script script;
  script.threads = {{write(0, 1)}, {write(0, 2)}};
  EXPECT_EQ(members(script), (std::vector<std::uint64_t>{1, 1}));
  script.threads = {{write(0, 1)}, {write(1, 2)}};
  EXPECT_EQ(members(script), (std::vector<std::uint64_t>{2}));
  script.threads = {{write(0, 1), write(0, 2)}, {write(1, 1), write(1, 2)}};
  EXPECT_EQ(members(script), (std::vector<std::uint64_t>{6}));
  auto truth = brute_force(script, 1'000);
  truth->uneven = "a class with a member that is of another one";
  EXPECT_NE(disagreement(script, *truth, {}), "");
}

TEST(Shrinking, KeepsOnlyWhatTheDefectNeeds) {
  const Script big = random_script(12);
  ASSERT_GT(count_statements(big), 2u);
  const Script small = shrink(big, [](const Script& s) { return !s.threads.empty(); });
  EXPECT_EQ(count_statements(small), 0u);
}

}  // namespace
}  // namespace heddle::check
