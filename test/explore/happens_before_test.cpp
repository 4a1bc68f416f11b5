// Clocks and races against the definition: quadratic happens-before from the dependence relation.
#include "trace/happens_before.h"

#include <gtest/gtest.h>

#include "check/random_script.h"
#include "check/script_program.h"
#include "trace/reversal.h"

namespace heddle::trace {
namespace {

std::vector<std::vector<bool>> closure(const std::vector<Step>& steps) {
  const std::size_t n = steps.size();
  std::vector<std::vector<bool>> before(n, std::vector<bool>(n, false));
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = j; i-- > 0;) {
      before[i][j] = dependent(steps[i], steps[j]);
      for (std::size_t k = i + 1; k < j && !before[i][j]; ++k) before[i][j] = before[i][k] && before[k][j];
    }
  return before;
}

Execution random_execution(std::uint64_t seed) {
  check::ScriptProgram program(check::random_large_script(seed));
  Schedule schedule;
  schedule.tail = {TailKind::kRandom, seed};
  Execution execution;
  program.run(schedule, execution);
  return execution;
}

TEST(HappensBefore, IsTheClosureOfDependence) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const Execution execution = random_execution(seed);
    HappensBefore clocks;
    for (const Step& s : execution.steps) clocks.push(s);
    // Shortened and extended again it must be the same.
    clocks.truncate(static_cast<EventIndex>(execution.steps.size() / 2));
    for (std::size_t i = execution.steps.size() / 2; i < execution.steps.size(); ++i) clocks.push(execution.steps[i]);
    const auto truth = closure(execution.steps);
    for (EventIndex j = 0; j < execution.steps.size(); ++j)
      for (EventIndex i = 0; i < j; ++i)
        ASSERT_EQ(clocks.before(i, j), truth[i][j]) << "seed " << seed << ": " << i << " -> " << j;
  }
}

TEST(HappensBefore, ListsWhatIsNotAfterAnEvent) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const Execution execution = random_execution(seed);
    const auto length = static_cast<EventIndex>(execution.steps.size());
    if (length < 2) continue;
    HappensBefore clocks;
    for (const Step& s : execution.steps) clocks.push(s);
    const auto cut = static_cast<EventIndex>(seed % length);
    clocks.truncate(cut);
    for (EventIndex i = cut; i < length; ++i) clocks.push(execution.steps[i]);
    clocks.summarize(cut);
    const auto truth = closure(execution.steps);
    std::vector<EventIndex> listed;
    for (EventIndex e = 0; e < length; ++e) {
      for (std::uint32_t run = clocks.run_of(e) + 1; run <= clocks.run_of(length - 1); ++run) {
        std::vector<EventIndex> expected;
        for (EventIndex k = e + 1; k < length; ++k)
          if (clocks.run_of(k) >= run && !truth[e][k]) expected.push_back(k);
        listed.resize(clocks.list_not_after(e, run, listed, 0));
        ASSERT_EQ(listed, expected) << "seed " << seed << ", event " << e << ", from run " << run;
        if (run < clocks.run_of(cut)) continue;
        ASSERT_EQ(clocks.common_knowledge(run)[execution.steps[e].thread.index()] > e, expected.empty());
      }
    }
  }
}

Step step(unsigned thread, OpKind kind, unsigned object, std::uint64_t before = 0) {
  Step s;
  s.thread = ThreadId(static_cast<std::uint16_t>(thread));
  s.op.kind = kind;
  s.op.object = ObjectId(object);
  s.op.before = before;
  return s;
}

TEST(Races, OfAnAcquireAreWithTheAcquireBefore) {
  HappensBefore clocks;
  std::vector<EventIndex> races;
  clocks.push(step(0, OpKind::kAcquire, 0, kLockFree), &races);
  clocks.push(step(0, OpKind::kRelease, 0, kHeldExclusively), &races);
  EXPECT_TRUE(races.empty());
  clocks.push(step(1, OpKind::kAcquire, 0, kLockFree), &races);
  EXPECT_EQ(races, std::vector<EventIndex>{0});
}

TEST(Races, OfAWriteAreWithEveryConcurrentReadSinceTheLastWrite) {
  HappensBefore clocks;
  std::vector<EventIndex> races;
  clocks.push(step(0, OpKind::kWrite, 0));
  clocks.push(step(1, OpKind::kRead, 0));
  clocks.push(step(2, OpKind::kRead, 0));
  clocks.push(step(3, OpKind::kWrite, 0), &races);
  EXPECT_EQ(races, (std::vector<EventIndex>{2, 1}));
}

TEST(Races, TurnOutOtherwiseTheOtherWayRound) {
  Step swap = step(1, OpKind::kCasFailed, 0, 5);
  swap.op.after = 3;  // expected
  const Step write = step(0, OpKind::kWrite, 0, 3);
  EXPECT_EQ(as_if_first(swap, write).op.kind, OpKind::kCas);
  const Step other = step(0, OpKind::kWrite, 0, 4);
  EXPECT_EQ(as_if_first(swap, other).op.kind, OpKind::kCasFailed);
  const Step release = step(0, OpKind::kRelease, 1, kHeldExclusively);
  EXPECT_EQ(as_if_first(step(1, OpKind::kTryAcquire, 1), release).op.kind, OpKind::kTryFailed);
  Step signal = step(2, OpKind::kSignal, 2);
  signal.set = ThreadSet::of(0);
  signal.choice = 0;
  EXPECT_TRUE(as_if_first(signal, step(0, OpKind::kWait, 2)).set.empty());
}

}  // namespace
}  // namespace heddle::trace
