// Several explorers of execution graphs that share a frontier find every graph, once, together. (In native programs
// they are processes; here threads.)
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <mutex>
#include <optional>
#include <set>
#include <thread>

#include "check/litmus.h"
#include "check/random_litmus.h"
#include "explore/frontier.h"
#include "explore/parallel.h"
#include "graph/trust.h"
#include "model/model_program.h"
#include "trace/fingerprint.h"

namespace heddle::graph {
namespace {

// Address space only; pages are used as the frontier grows.
constexpr std::size_t kFrontierBytes = std::size_t{1} << 30;

class FrontierMemory {
 public:
  FrontierMemory()
      : memory_(mmap(nullptr, kFrontierBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
                     0)) {}
  ~FrontierMemory() {
    if (memory_ != MAP_FAILED) munmap(memory_, kFrontierBytes);
  }
  FrontierMemory(const FrontierMemory&) = delete;
  FrontierMemory& operator=(const FrontierMemory&) = delete;
  void* get() const { return memory_; }

 private:
  void* memory_;
};

struct Together {
  std::multiset<std::uint64_t> graphs;
  explore::ExploreResult result;
};

Together run(const std::string& source, trace::MemoryModel memory, int jobs, std::uint64_t most) {
  const FrontierMemory region;
  EXPECT_NE(region.get(), MAP_FAILED);
  explore::Frontier* frontier = explore::Frontier::create(region.get(), kFrontierBytes, jobs);
  Together found;
  std::optional<explore::ExploreResult> whole;
  std::mutex mutex;
  explore::ExploreOptions options;
  options.strategy.algorithm = explore::Algorithm::kTrust;
  options.all = true;
  options.probe = false;
  options.max_executions = most;
  options.frontier = frontier;
  options.make = [&] { return std::make_unique<Trust>(memory, frontier); };
  options.on_execution = [&](const trace::Execution& e) {
    if (e.outcome == trace::Outcome::kAsleep) return;
    const std::lock_guard guard(mutex);
    found.graphs.insert(trace::fingerprint_of_graph(e));
  };
  const auto work = [&] {
    model::ModelOptions how;
    how.weak_memory = true;
    auto program = model::load_model_text(source, "together.hed", {}, how);
    auto part = explore::explore(**program, options);
    const std::lock_guard guard(mutex);
    ASSERT_TRUE(part) << part.error().message;
    if (whole)
      merge(*whole, std::move(*part));
    else
      whole = std::move(*part);
  };
  {
    std::vector<std::jthread> explorers;
    for (int j = 0; j < jobs; ++j) explorers.emplace_back(work);
  }
  found.result = std::move(*whole);
  return found;
}

TEST(TrustTogether, SameGraphsEachOnce) {
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 120; ++seed) {
    const std::string source = to_source(check::random_litmus(700'000'000 + seed, {.locks = seed % 2 == 1}));
    const trace::MemoryModel memory = trace::kMemoryModels[seed % std::size(trace::kMemoryModels)];
    const Together alone = run(source, memory, 1, 20'000);
    if (!alone.result.exhausted()) continue;
    ++compared;
    for (const int jobs : {2, 3}) {
      const Together together = run(source, memory, jobs, 20'000);
      ASSERT_TRUE(together.result.exhausted());
      ASSERT_EQ(together.graphs, alone.graphs) << "seed " << seed << ", " << jobs << " explorers\n" << source;
      EXPECT_EQ(together.result.executions, alone.result.executions);
      EXPECT_EQ(together.result.classes, alone.result.classes);
      EXPECT_EQ(together.result.deadlocked, alone.result.deadlocked);
      EXPECT_EQ(together.result.findings.size(), alone.result.findings.size());
    }
  }
  EXPECT_GT(compared, 100);
}

TEST(TrustTogether, StopsForEverybody) {
  std::string text = "a = add([x], 1)";
  for (int i = 0; i < 6; ++i) text += " || a = add([x], 1)";
  const Together together = run(to_source(*check::parse_litmus(text)), trace::MemoryModel::kCpp20, 3, 100);
  EXPECT_FALSE(together.result.exhausted());
  EXPECT_EQ(together.result.verdict(), explore::Verdict::kInconclusive);
  EXPECT_LT(together.result.executions, 110u);
}

}  // namespace
}  // namespace heddle::graph
