#include "trace/dependence.h"
#include "trace/object.h"

#include <gtest/gtest.h>

#include <set>

namespace heddle::trace {
namespace {

Step step(std::uint16_t thread, OpKind kind, std::uint32_t object = 0) {
  Step s;
  s.thread = ThreadId(thread);
  s.op.kind = kind;
  s.op.object = ObjectId(object);
  return s;
}

Step thread_step(std::uint16_t thread, OpKind kind, std::uint16_t peer) {
  Step s;
  s.thread = ThreadId(thread);
  s.op.kind = kind;
  s.op.peer = ThreadId(peer);
  return s;
}

OpKind kind(int i) { return static_cast<OpKind>(i); }

TEST(Dependence, IsSymmetricOverAllKinds) {
  for (int a = 0; a < kOpKinds; ++a)
    for (int b = 0; b < kOpKinds; ++b) {
      EXPECT_EQ(dependent(step(0, kind(a)), step(1, kind(b))), dependent(step(1, kind(b)), step(0, kind(a))))
          << name_of(kind(a)) << ", " << name_of(kind(b));
      EXPECT_EQ(may_be_co_enabled(kind(a), kind(b)), may_be_co_enabled(kind(b), kind(a)));
    }
}

// The table read off the definition: of two accesses to one object at least one must change it.
TEST(Dependence, OnOneObjectOnlyReadsCommute) {
  const std::set<OpKind> reads{OpKind::kRead,         OpKind::kCasFailed,
                               OpKind::kTryFailed,    OpKind::kSharedTryFailed,
                               OpKind::kSemTryFailed, OpKind::kSleepRefused};
  const std::set<OpKind> no_object{OpKind::kSpawn,  OpKind::kJoin,  OpKind::kChoose,   OpKind::kBranch,
                                   OpKind::kAssume, OpKind::kFence, OpKind::kTerminate};
  for (int a = 0; a < kOpKinds; ++a)
    for (int b = 0; b < kOpKinds; ++b) {
      const bool expected = !no_object.contains(kind(a)) && !no_object.contains(kind(b)) &&
                            !(reads.contains(kind(a)) && reads.contains(kind(b)));
      EXPECT_EQ(dependent_on_one_object(kind(a), kind(b)), expected) << name_of(kind(a)) << ", " << name_of(kind(b));
    }
}

TEST(Dependence, DifferentObjectsAreIndependent) {
  EXPECT_FALSE(dependent(step(0, OpKind::kWrite, 1), step(1, OpKind::kWrite, 2)));
  EXPECT_FALSE(dependent(step(0, OpKind::kAcquire, 1), step(1, OpKind::kAcquire, 2)));
  EXPECT_TRUE(dependent(step(0, OpKind::kWrite, 1), step(1, OpKind::kWrite, 1)));
}

TEST(Dependence, OneThreadDependsOnItself) {
  EXPECT_TRUE(dependent(step(3, OpKind::kRead, 1), step(3, OpKind::kRead, 2)));
}

TEST(Dependence, SpawnAndJoinTouchTheirPeerOnly) {
  EXPECT_TRUE(dependent(thread_step(0, OpKind::kSpawn, 1), step(1, OpKind::kRead)));
  EXPECT_FALSE(dependent(thread_step(0, OpKind::kSpawn, 1), step(2, OpKind::kRead)));
  EXPECT_TRUE(dependent(step(1, OpKind::kWrite), thread_step(0, OpKind::kJoin, 1)));
  EXPECT_FALSE(dependent(step(2, OpKind::kWrite), thread_step(0, OpKind::kJoin, 1)));
}

TEST(Dependence, ASignalTouchesTheWaiterItWakes) {
  Step signal = step(0, OpKind::kSignal, 5);
  signal.set.insert(1);
  signal.set.insert(2);
  signal.choice = 2;
  EXPECT_TRUE(dependent(signal, step(2, OpKind::kAcquire, 9)));
  EXPECT_FALSE(dependent(signal, step(1, OpKind::kAcquire, 9)));
}

TEST(Dependence, TerminationDependsOnEverything) {
  for (int a = 0; a < kOpKinds; ++a)
    EXPECT_TRUE(dependent(thread_step(0, OpKind::kTerminate, 0xffff), step(1, kind(a)))) << name_of(kind(a));
}

TEST(Dependence, AReleaseIsNeverCoEnabledWithAnAcquire) {
  EXPECT_FALSE(may_be_co_enabled(OpKind::kRelease, OpKind::kAcquire));
  EXPECT_FALSE(may_be_co_enabled(OpKind::kRelease, OpKind::kRelease));
  EXPECT_TRUE(may_be_co_enabled(OpKind::kAcquire, OpKind::kAcquire));
  EXPECT_TRUE(may_be_co_enabled(OpKind::kRelease, OpKind::kTryFailed));
}

TEST(Dependence, BlockingOperationsAreEnabledByTheValueTheyFind) {
  EXPECT_TRUE(enabled_at(OpKind::kAcquire, kLockFree, 0));
  EXPECT_FALSE(enabled_at(OpKind::kAcquire, kHeldExclusively, 0));
  EXPECT_FALSE(enabled_at(OpKind::kAcquire, 2, 0));
  EXPECT_TRUE(enabled_at(OpKind::kSharedAcquire, 2, 0));
  EXPECT_FALSE(enabled_at(OpKind::kSharedAcquire, kHeldExclusively, 0));
  EXPECT_FALSE(enabled_at(OpKind::kSemWait, 0, 0));
  EXPECT_TRUE(enabled_at(OpKind::kSemWait, 1, 0));
}

TEST(Dependence, NamesAreDistinct) {
  std::set<std::string> names;
  for (int a = 0; a < kOpKinds; ++a)
    if (kind(a) != OpKind::kArriveInTurn) names.insert(name_of(kind(a)));  // to a reader it is an arrival
  EXPECT_EQ(names.size(), static_cast<std::size_t>(kOpKinds - 1));
}

TEST(Dependence, ArrivalsInTurnNeverComeInEachOthersPlace) {
  EXPECT_TRUE(dependent_on_one_object(OpKind::kArriveInTurn, OpKind::kArriveInTurn));
  EXPECT_FALSE(may_be_co_enabled(OpKind::kArriveInTurn, OpKind::kArriveInTurn));
  EXPECT_TRUE(blocks(OpKind::kArriveInTurn));
  EXPECT_FALSE(enabled_at(OpKind::kArriveInTurn, 0, 1));
  EXPECT_TRUE(enabled_at(OpKind::kArriveInTurn, 1, 1));
}

}  // namespace
}  // namespace heddle::trace
