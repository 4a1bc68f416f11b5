// Several explorers that share a frontier find every class, once, together. (In native programs they are processes;
// here threads.)
#include "explore/parallel.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <mutex>
#include <optional>
#include <set>
#include <thread>

#include "check/random_script.h"
#include "check/script_program.h"
#include "explore/frontier.h"
#include "trace/fingerprint.h"

namespace heddle::explore {
namespace {

// Address space only; pages are used as the frontier grows.
constexpr std::size_t kFrontierBytes = std::size_t{4} << 30;

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
  void* get() const { return memory_ == MAP_FAILED ? nullptr : memory_; }

 private:
  void* memory_;
};

Result<ExploreResult> explore_in_parallel(const ProgramFactory& make_program, const ExploreOptions& options, int jobs) {
  REQUIRE(jobs >= 1);
  const FrontierMemory memory;
  if (!memory.get()) return Error{"no address space for a parallel search; run with -j 1"};
  ExploreOptions shared = options;
  shared.frontier = Frontier::create(memory.get(), kFrontierBytes, jobs);
  shared.keep_executions = 0;  // they have no common order

  std::mutex mutex;
  std::optional<ExploreResult> whole;
  std::optional<Error> error;
  const auto work = [&](bool reports) {
    const std::unique_ptr<Program> program = make_program();
    ExploreOptions own = shared;
    if (!reports) own.observer = nullptr;
    auto part = explore(*program, own);
    const std::lock_guard guard(mutex);
    if (!part) {
      error = part.error();
      shared.frontier->stop();
    } else if (!whole) {
      whole = std::move(*part);
    } else {
      merge(*whole, std::move(*part));
    }
  };
  std::vector<std::thread> others;
  for (int j = 1; j < jobs; ++j) others.emplace_back(work, false);
  work(true);
  for (std::thread& t : others) t.join();
  if (error) return *error;
  return std::move(*whole);
}

struct Explored {
  std::multiset<std::uint64_t> classes;
  ExploreResult result;
};

Explored run(const check::Script& script, int jobs) {
  Explored found;
  std::mutex mutex;
  ExploreOptions options;
  options.all = true;
  options.max_executions = 20'000;
  options.on_execution = [&](const Execution& e) {
    if (e.outcome == Outcome::kAsleep) return;
    Fingerprinter fingerprint;
    const std::lock_guard guard(mutex);
    found.classes.insert(fingerprint(e));
  };
  const auto make = [&] { return std::make_unique<check::ScriptProgram>(script); };
  auto result = jobs == 1 ? explore(*make(), options) : explore_in_parallel(make, options, jobs);
  EXPECT_TRUE(result.ok());
  found.result = result.value();
  return found;
}

TEST(Parallel, SameClassesEachOnce) {
  slow_checks = true;
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    const check::Script script =
        seed % 4 == 0 ? check::random_synchronised_script(seed) : check::random_large_script(seed);
    const Explored alone = run(script, 1);
    if (!alone.result.exhausted()) continue;
    ++compared;
    for (int jobs : {2, 3}) {
      const Explored together = run(script, jobs);
      ASSERT_TRUE(together.result.exhausted());
      ASSERT_EQ(together.classes, alone.classes) << "seed " << seed << ", " << jobs << " jobs\n" << to_source(script);
      EXPECT_EQ(together.result.classes, alone.result.classes);
      EXPECT_EQ(together.result.deadlocked, alone.result.deadlocked);
      EXPECT_EQ(together.result.findings.size(), alone.result.findings.size());
    }
  }
  slow_checks = false;
  EXPECT_GT(compared, 100);
}

TEST(Parallel, StopsForEverybody) {
  check::Script script;
  script.variables = 1;
  for (int t = 0; t < 4; ++t)
    script.threads.push_back({{check::StmtKind::kWrite, 0, 1, 0, {}}, {check::StmtKind::kWrite, 0, 2, 0, {}}});
  ExploreOptions options;
  options.max_executions = 100;
  const auto make = [&] { return std::make_unique<check::ScriptProgram>(script); };
  const auto result = explore_in_parallel(make, options, 3);
  ASSERT_TRUE(result.ok());
  EXPECT_FALSE(result.value().exhausted());
  EXPECT_EQ(result.value().verdict(), Verdict::kInconclusive);
  EXPECT_LT(result.value().executions, 110u);
}

TEST(Parallel, RefusesOtherSearches) {
  ExploreOptions options;
  options.strategy.algorithm = Algorithm::kDpor;
  const auto make = [] { return std::make_unique<check::ScriptProgram>(check::Script{}); };
  const auto result = explore_in_parallel(make, options, 2);
  ASSERT_FALSE(result.ok());
  EXPECT_NE(result.error().message.find("optimal-dpor"), std::string::npos);
}

}  // namespace
}  // namespace heddle::explore
