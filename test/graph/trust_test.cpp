// `trust` finds the graphs that brute force finds, each once: on the litmus tests of the literature and on random ones.
// HEDDLE_SWEEP=N multiplies the number of random tests.
#include "graph/trust.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "check/graph_oracle.h"
#include "check/litmus_table.h"
#include "check/random_litmus.h"
#include "model/model_program.h"

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

// Published: N threads add to one variable in N! ways; thread i makes i + 1 of i in 2, 5, 14, 43, 144, 523 ways.
TEST(Trust, PublishedCounts) {
  const auto all = [](int n, auto&& statement) {
    std::string text;
    for (int i = 0; i < n; ++i) text += (i == 0 ? "" : " || ") + statement(i);
    return *parse_litmus(text);
  };
  const auto executions = [](const Litmus& litmus) {
    model::ModelOptions options;
    options.weak_memory = true;
    auto program = model::load_model_text(to_source(litmus), "litmus.hed", {}, options);
    graph::Trust trust(MemoryModel::kCpp20);
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
  };
  const std::uint64_t additions[] = {2, 6, 24, 120, 720}, chains[] = {2, 5, 14, 43, 144, 523};
  for (int n = 2; n <= 6; ++n)
    EXPECT_EQ(executions(all(n, [](int) { return std::string("a = add([x], 1)"); })), additions[n - 2]);
  for (int n = 2; n <= 7; ++n)
    EXPECT_EQ(executions(all(
                  n, [](int i) { return "a = cas([x], " + std::to_string(i) + ", " + std::to_string(i + 1) + ")"; })),
              chains[n - 2]);
  EXPECT_EQ(executions(all(3, [](int) { return std::string("a = add([x], 1); b = add([y], 1)"); })), 36u);
}

}  // namespace
}  // namespace heddle::check
