#include "report/racing_pair.h"

#include <gtest/gtest.h>

#include "traces.h"

namespace heddle::report {
namespace {

std::pair<int, int> pair_of(const explore::Finding& f) {
  const auto pair = racing_pair(f.execution, f.failure);
  return pair ? std::pair(static_cast<int>(pair->first), static_cast<int>(pair->second)) : std::pair(-1, -1);
}

TEST(RacingPair, IsTheLastDependentPairOfDifferentThreads) { EXPECT_EQ(pair_of(lost_update()), std::pair(2, 3)); }

TEST(RacingPair, JoinsAndSpawnsAreNoRace) {
  const auto f = TraceBuilder()
                     .step(0, OpKind::kSpawn, -1)
                     .peer(1)
                     .step(1, OpKind::kWrite, 0, 0, 1)
                     .step(0, OpKind::kJoin, -1)
                     .peer(1)
                     .step(0, OpKind::kRead, 0, 1, 1)
                     .fails(0);
  EXPECT_EQ(pair_of(f), std::pair(-1, -1));
}

TEST(RacingPair, OnlyAdjacentPairsCount) {
  // a's write and c's read are ordered through b's write: the adjacent pairs are (0,1) and (1,2).
  const auto f = TraceBuilder()
                     .step(0, OpKind::kWrite, 0, 0, 1)
                     .step(1, OpKind::kWrite, 0, 1, 2)
                     .step(2, OpKind::kRead, 0, 2, 2)
                     .fails(2);
  EXPECT_EQ(pair_of(f), std::pair(1, 2));
}

TEST(RacingPair, MustBeInTheFailuresPast) {
  // b and c race on y after a's and b's race on x; a knows nothing of the former.
  const auto f = TraceBuilder()
                     .step(1, OpKind::kWrite, 0, 0, 1)
                     .step(0, OpKind::kRead, 0, 1, 1)
                     .step(1, OpKind::kWrite, 1, 0, 1)
                     .step(2, OpKind::kWrite, 1, 1, 2)
                     .fails(0);
  EXPECT_EQ(pair_of(f), std::pair(0, 1));
}

TEST(RacingPair, StepsAfterTheFailureDoNotMatter) {
  auto f = lost_update();
  Step late = f.execution.steps[3];
  late.thread = ThreadId(1);
  f.execution.steps.push_back(late);
  EXPECT_EQ(pair_of(f), std::pair(2, 3));
}

TEST(RacingPair, OfLocksAreTheTwoAcquisitions) {
  const auto f = TraceBuilder()
                     .step(0, OpKind::kAcquire, 1, kLockFree)
                     .step(0, OpKind::kWrite, 0, 0, 1)
                     .step(0, OpKind::kRelease, 1, kHeldExclusively)
                     .step(1, OpKind::kAcquire, 1, kLockFree)
                     .step(1, OpKind::kRead, 0, 1, 1)
                     .fails(1);
  EXPECT_EQ(pair_of(f), std::pair(0, 3));
}

TEST(RacingPair, NoneInASingleThread) {
  EXPECT_EQ(pair_of(TraceBuilder().step(0, OpKind::kWrite, 0, 0, 1).step(0, OpKind::kRead, 0, 1, 1).fails(0)),
            std::pair(-1, -1));
}

TEST(RacingPair, AFailureBeforeAnyStep) { EXPECT_EQ(pair_of(TraceBuilder().fails(0)), std::pair(-1, -1)); }

}  // namespace
}  // namespace heddle::report
