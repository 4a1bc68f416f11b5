// `trust` finds the graphs that brute force finds, each once: on the litmus tests of the literature and on random ones.
// HEDDLE_SWEEP=N multiplies the number of random tests.
#include "graph/trust.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "check/graph_oracle.h"
#include "check/litmus_table.h"
#include "check/random_litmus.h"
#include "graph/graph_sampling.h"
#include "model/model_program.h"
#include "trace/fingerprint.h"

namespace heddle::check {
namespace {

using trace::MemoryModel;

TEST(Trust, TheNumbersOfTheTable) {
  for (const LitmusRow& row : kLitmusTable) {
    for (const MemoryModel model : trace::kMemoryModels) {
      const GraphComparison found = compare_graphs(*parse_litmus(row.program), model);
      EXPECT_EQ(found.difference, "") << row.name << " under " << name_of(model);
      EXPECT_EQ(found.complete, row.graphs[static_cast<std::size_t>(model)]) << row.name << " under " << name_of(model);
      EXPECT_EQ(found.executions, found.complete + row.blocked) << row.name << " under " << name_of(model);
    }
  }
}

// Samples are graphs of the model, and all of them are drawn.
using Fingerprints = std::set<std::uint64_t>;

Fingerprints fingerprints(const Litmus& litmus, explore::Strategy& strategy, int most) {
  model::ModelOptions options;
  options.weak_memory = true;
  auto program = model::load_model_text(to_source(litmus), "litmus.hed", {}, options);
  trace::Schedule schedule;
  trace::Execution execution;
  Fingerprints seen;
  for (int i = 0; i < most && strategy.next(schedule); ++i) {
    (*program)->run(schedule, execution);
    EXPECT_NE(execution.outcome, trace::Outcome::kDiverged);
    seen.insert(trace::fingerprint_of_graph(execution));
    strategy.learn(execution);
  }
  return seen;
}

TEST(Samples, OfTheTable) {
  for (const LitmusRow& row : kLitmusTable) {
    if (row.graphs[2] > 20) continue;
    const Litmus litmus = *parse_litmus(row.program);
    for (const MemoryModel model : trace::kMemoryModels) {
      graph::Trust trust(model);
      const Fingerprints all = fingerprints(litmus, trust, 1'000'000);
      EXPECT_EQ(all.size(), row.graphs[static_cast<std::size_t>(model)] + row.blocked);
      for (const trace::TailKind tail : {trace::TailKind::kRandom, trace::TailKind::kPct, trace::TailKind::kPos}) {
        graph::GraphSampling sampling(model, {.kind = tail, .seed = 1});
        EXPECT_EQ(fingerprints(litmus, sampling, 3'000), all) << row.name << " under " << name_of(model);
      }
    }
  }
}

TEST(Samples, OfRandomTests) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Litmus litmus = random_litmus(900'000'000 + seed, {.locks = seed % 2 == 1});
    for (const MemoryModel model : trace::kMemoryModels) {
      graph::Trust trust(model);
      const Fingerprints all = fingerprints(litmus, trust, 20'000);
      if (all.size() >= 10'000) continue;
      graph::GraphSampling sampling(model, {.kind = trace::TailKind::kRandom, .seed = seed});
      for (const std::uint64_t one : fingerprints(litmus, sampling, 500))
        EXPECT_TRUE(all.contains(one)) << to_text(litmus) << "\nunder " << name_of(model);
    }
  }
}

constexpr std::uint64_t kTests = 400;      // per shard
constexpr std::size_t kMostGraphs = 4000;  // for brute force

std::uint64_t tests() {
  const char* times = std::getenv("HEDDLE_SWEEP");
  return kTests * static_cast<std::uint64_t>(times ? std::max(1, std::atoi(times)) : 1);
}

class Shard : public testing::TestWithParam<int> {};

void sweep(std::uint64_t shard, const RandomLitmus& options) {
  std::uint64_t left_out = 0;
  for (std::uint64_t i = 0; i < tests(); ++i) {
    const Litmus litmus = random_litmus(shard * 1'000'000 + i, options);
    for (const MemoryModel model : trace::kMemoryModels) {
      const GraphComparison found = compare_graphs(litmus, model, kMostGraphs);
      left_out += found.left_out;
      ASSERT_EQ(found.difference, "") << to_text(litmus) << "\nunder " << name_of(model) << "\n" << to_source(litmus);
    }
  }
  EXPECT_LT(left_out, tests() / 2);
}

TEST_P(Shard, AccessesAndFences) { sweep(static_cast<std::uint64_t>(GetParam()), {}); }
TEST_P(Shard, LocksJoinsAndChoices) { sweep(100 + static_cast<std::uint64_t>(GetParam()), {.locks = true}); }
INSTANTIATE_TEST_SUITE_P(Trust, Shard, testing::Range(0, 4));

std::uint64_t executions(const std::string& source, MemoryModel memory) {
  model::ModelOptions options;
  options.weak_memory = true;
  auto program = model::load_model_text(source, "published.hed", {}, options);
  graph::Trust trust(memory);
  trace::Schedule schedule;
  trace::Execution execution;
  std::uint64_t n = 0;
  while (trust.next(schedule)) {
    (*program)->run(schedule, execution);
    EXPECT_EQ(execution.outcome, trace::Outcome::kComplete);
    trust.learn(execution);
    ++n;
  }
  return n;
}

// Published: N threads add to one variable in N! ways, to two in (N!)^2; thread i makes i + 1 of i in 2, 5, 14, 43, ...
// ways.
TEST(Trust, PublishedCounts) {
  const auto all = [](int n, auto&& statement) {
    std::string text;
    for (int i = 0; i < n; ++i) text += (i == 0 ? "" : " || ") + statement(i);
    return executions(to_source(*parse_litmus(text)), MemoryModel::kCpp20);
  };
  const std::uint64_t additions[] = {2, 6, 24, 120, 720, 5040}, chains[] = {2, 5, 14, 43, 144, 523, 2048, 8597};
  for (int n = 2; n <= 7; ++n) EXPECT_EQ(all(n, [](int) { return std::string("a = add([x], 1)"); }), additions[n - 2]);
  for (int n = 2; n <= 9; ++n)
    EXPECT_EQ(all(n, [](int i) { return "a = cas([x], " + std::to_string(i) + ", " + std::to_string(i + 1) + ")"; }),
              chains[n - 2]);
  for (int n = 2; n <= 4; ++n)
    EXPECT_EQ(all(n, [](int) { return std::string("a = add([x], 1); b = add([y], 1)"); }),
              additions[n - 2] * additions[n - 2]);
}

// Likewise: two threads add up Fibonacci numbers in five rounds, with acquire and release, and a third one looks. (Half
// a minute.)
TEST(Trust, PublishedCountsOfFibonacci) {
  if (!std::getenv("HEDDLE_SWEEP")) GTEST_SKIP();
  const auto adds = [](const std::string& name, const std::string& own, const std::string& other) {
    return "thread " + name + " { for (int k = 0; k < 5; k = k + 1) { int a = " + own + ".load(acquire); " +  //
           own + ".store(a + " + other + ".load(acquire), release); } }\n";
  };
  const std::string source = "shared int i = 1, j = 1;\n" + adds("one", "i", "j") + adds("two", "j", "i") +
                             "thread three { int a = i.load(acquire); int b = j.load(acquire); }\n";
  EXPECT_EQ(executions(source, MemoryModel::kSc), 218'243u);
  EXPECT_EQ(executions(source, MemoryModel::kCpp20), 525'630u);
}

}  // namespace
}  // namespace heddle::check
