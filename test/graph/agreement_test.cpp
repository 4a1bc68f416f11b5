// Under sequential consistency `trust` finds what `optimal-dpor` finds: as many classes, deadlocks and failures, and
// the same findings, on random models with locks, condition variables, tries, spawned threads and choices, and on those
// of the benchmarks.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <set>

#include "check/random_script.h"
#include "explore/explorer.h"
#include "graph/trust.h"
#include "model/model_program.h"

namespace heddle::graph {
namespace {

struct Outcomes {
  std::uint64_t classes = 0, deadlocked = 0, failed = 0;
  std::set<std::string> findings;
  bool exhausted = false;
  bool operator==(const Outcomes&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Outcomes& o) {
  return out << o.classes << " classes, " << o.deadlocked << " deadlocked, " << o.failed << " failed, "
             << o.findings.size() << " findings" << (o.exhausted ? "" : ", not exhausted");
}

Outcomes explore(model::ModelProgram& program, bool graphs, std::uint64_t most) {
  explore::ExploreOptions options;
  options.all = true;
  options.probe = false;
  options.max_executions = most;
  if (graphs) {
    options.strategy.algorithm = explore::Algorithm::kTrust;
    options.make = [] { return std::make_unique<Trust>(MemoryModel::kSc); };
  }
  auto result = explore::explore(program, options);
  EXPECT_TRUE(result);
  Outcomes o{result->classes, result->deadlocked, result->failed, {}, result->exhausted()};
  for (const explore::Finding& f : result->findings)
    o.findings.insert(std::string(name_of(f.failure.kind)) + std::to_string(f.failure.where) + f.failure.message);
  return o;
}

// Does nothing where there are more classes than that.
void expect_agreement(const std::string& text, const std::string& what, std::uint64_t most) {
  model::ModelOptions options;
  options.spurious = 1;
  auto interleaved = model::load_model_text(text, "a.hed", {}, options);
  ASSERT_TRUE(interleaved) << interleaved.error().message;
  const Outcomes expected = explore(**interleaved, false, most);
  if (!expected.exhausted) return;
  options.weak_memory = true;
  auto graphs = model::load_model_text(text, "a.hed", {}, options);
  ASSERT_TRUE(graphs);
  EXPECT_EQ(explore(**graphs, true, most), expected) << what << "\n" << text;
}

class Shard : public testing::TestWithParam<int> {};

TEST_P(Shard, RandomModels) {
  const char* times = std::getenv("HEDDLE_SWEEP");
  const std::uint64_t scripts = 500 * static_cast<std::uint64_t>(times ? std::max(1, std::atoi(times)) : 1);
  for (std::uint64_t i = 0; i < scripts && !HasFailure(); ++i) {
    const std::uint64_t seed = static_cast<std::uint64_t>(GetParam()) * 1'000'000 + i;
    expect_agreement(check::to_source(check::random_script(seed)), "seed " + std::to_string(seed), 2000);
  }
}
INSTANTIATE_TEST_SUITE_P(Agreement, Shard, testing::Range(0, 4));

// Those that read inputs are left out: trust does not explore inputs.
TEST(Agreement, Benchmarks) {
  int compared = 0;
  for (const auto& entry : std::filesystem::directory_iterator(HEDDLE_SOURCE_DIR "/bench/programs")) {
    auto program = model::load_model(entry.path().string(), {});
    ASSERT_TRUE(program) << program.error().message;
    if ((*program)->draws_inputs()) continue;
    const Outcomes expected = explore(**program, false, 20'000);
    if (!expected.exhausted) continue;
    model::ModelOptions options;
    options.weak_memory = true;
    auto graphs = model::load_model(entry.path().string(), {}, options);
    EXPECT_EQ(explore(**graphs, true, 20'000), expected) << entry.path();
    ++compared;
  }
  EXPECT_GE(compared, 18);
}

}  // namespace
}  // namespace heddle::graph
