#include "explore/parallel.h"

#include <sys/mman.h>

#include <algorithm>
#include <mutex>
#include <optional>
#include <thread>

#include "explore/frontier.h"

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

bool same(const Failure& a, const Failure& b) {
  return a.kind == b.kind && a.where == b.where && a.message == b.message;
}

// Each explorer has probed for itself: the mean of what they make of it, and between what all lie.
Estimate merged(const Estimate& a, const Estimate& b) {
  if (a.total == 0 || b.total == 0) return a.total == 0 ? b : a;
  return {(a.total + b.total) / 2, std::min(a.low, b.low), std::max(a.high, b.high)};
}

}  // namespace

void merge(ExploreResult& whole, ExploreResult part) {
  whole.estimate = merged(whole.estimate, part.estimate);
  whole.ended = whole.ended && part.ended;
  if (whole.gaps.empty() || (part.parted && !whole.parted)) whole.gaps = part.gaps;
  if (!whole.parted) whole.parted = part.parted;
  whole.executions += part.executions;
  whole.classes += part.classes;
  whole.asleep += part.asleep;
  whole.deadlocked += part.deadlocked;
  whole.failed += part.failed;
  whole.cut += part.cut;
  whole.infeasible += part.infeasible;
  whole.states += part.states;
  whole.steps += part.steps;
  whole.cpu_seconds += part.cpu_seconds;
  whole.seconds = std::max(whole.seconds, part.seconds);
  for (Finding& finding : part.findings) {
    const auto known = std::find_if(whole.findings.begin(), whole.findings.end(),
                                    [&](const Finding& f) { return same(f.failure, finding.failure); });
    if (known == whole.findings.end())
      whole.findings.push_back(std::move(finding));
    else
      known->count += finding.count;
  }
  for (trace::Assumption& assumption : part.assumptions) {
    const auto known = [&](const trace::Assumption& a) { return a.kind == assumption.kind; };
    if (std::none_of(whole.assumptions.begin(), whole.assumptions.end(), known))
      whole.assumptions.push_back(std::move(assumption));
  }
  if (whole.estimate.total > 0) whole.estimate = at_least(whole.estimate, whole.executions);
}

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

}  // namespace heddle::explore
