#include "explore/data_slice.h"

#include <gtest/gtest.h>

#include "explore/data_note.h"

namespace heddle::explore {
namespace {

using namespace trace;

constexpr std::uint64_t kReady = 0x1000, kLimit = 0x1008, kTotal = 0x1010, kOther = 0x1018, kPrivate = 0x7000;

// Three threads; thread 2 fails after six steps.
class DataSlice : public ::testing::Test {
 protected:
  void read(int thread, EventIndex step, std::uint64_t address, std::uint64_t value) {
    add(thread, step, address, value, value, false);
  }
  void write(int thread, EventIndex step, std::uint64_t address, std::uint64_t before, std::uint64_t after) {
    add(thread, step, address, before, after, true);
  }
  // "index/distance" of each.
  std::string slice(FailureKind kind = FailureKind::kAssertion, std::size_t most = 100) const {
    Finding finding;
    finding.failure.kind = kind;
    finding.failure.thread = kind == FailureKind::kDeadlock ? kNoThread : ThreadId(2);
    finding.failure.step = 6;
    finding.execution = execution_;
    std::string text;
    for (const SlicedAccess& one : data_slice(accesses_, finding, most))
      text += (text.empty() ? "" : " ") + std::to_string(one.index) +
              (one.distance == kUnrelated ? "-" : "/" + std::to_string(one.distance));
    return text;
  }
  Execution execution_;

 private:
  void add(int thread, EventIndex step, std::uint64_t address, std::uint64_t before, std::uint64_t after, bool write) {
    PlainAccess access;
    access.address = address;
    access.size = 4;
    access.before = before;
    access.after = after;
    access.step = step;
    access.thread = ThreadId(static_cast<std::uint16_t>(thread));
    access.write = write;
    access.own_stack = address >= kPrivate;
    access.variable = !access.own_stack;
    accesses_.push_back(access);
  }
  std::vector<PlainAccess> accesses_;
};

TEST_F(DataSlice, WhatTheAssertionReadAndWhoWroteIt) {
  write(0, 1, kTotal, 0, 5);
  write(1, 3, kOther, 0, 1);
  write(1, 3, kTotal, 5, 7);
  read(2, 6, kTotal, 7);
  EXPECT_EQ(slice(), "0/0 2/0 3/0");
}

TEST_F(DataSlice, OfWhatDoesNotMatterChangesThatOthersSee) {
  write(1, 3, kOther, 0, 1);
  read(0, 4, kOther, 1);
  read(2, 6, kTotal, 7);
  EXPECT_EQ(slice(), "0- 2/0");
}

TEST_F(DataSlice, WhatAWriterLookedAtIsOneFurther) {
  write(0, 1, kLimit, 0, 3);
  read(1, 3, kLimit, 3);
  write(1, 3, kTotal, 0, 3);
  read(2, 6, kTotal, 3);
  EXPECT_EQ(slice(), "0/1 1/1 2/0 3/0");
}

TEST_F(DataSlice, ReadsAfterAWriteAreNotItsSource) {
  write(1, 3, kTotal, 0, 3);
  read(1, 3, kLimit, 3);
  write(0, 1, kLimit, 0, 3);
  read(2, 6, kTotal, 3);
  EXPECT_EQ(slice(), "0/0 2- 3/0");
}

TEST_F(DataSlice, SilentAndLaterOnesAndPrivateMemoryAreLeftOut) {
  write(1, 3, kTotal, 3, 3);
  write(1, 3, kPrivate, 0, 1);
  read(2, 6, kTotal, 3);
  write(0, 9, kTotal, 3, 4);
  EXPECT_EQ(slice(), "2/0");
}

TEST_F(DataSlice, ALocalVariableThatOthersKnowIsTold) {
  write(1, 3, kPrivate, 0, 1);
  read(2, 6, kPrivate, 1);
  EXPECT_EQ(slice(), "0/0 1/0");
}

TEST_F(DataSlice, OfADeadlockWhatThoseWhoWaitLookedAt) {
  execution_.threads = 2;
  read(1, 3, kReady, 0);
  read(2, 5, kOther, 0);
  EXPECT_EQ(slice(FailureKind::kDeadlock), "0/0");
}

TEST_F(DataSlice, AnUpdateThatIsLostLeavesTheSameValue) {
  write(0, 1, kTotal, 0, 5);
  write(1, 3, kTotal, 5, 5);
  read(2, 6, kTotal, 5);
  EXPECT_EQ(slice(), "0/0 1/0 2/0");
}

TEST_F(DataSlice, WhatChangesUnderALockIsTold) {
  Step lock;
  lock.thread = ThreadId(1);
  lock.op.kind = OpKind::kAcquire;
  execution_.steps = {lock};
  execution_.threads = 2;
  write(1, 1, kOther, 0, 1);
  write(0, 1, kReady, 0, 1);
  EXPECT_EQ(slice(), "0-");
}

TEST_F(DataSlice, WhatMattersLeastGoesFirst) {
  write(0, 1, kOther, 0, 5);
  write(0, 1, kTotal, 0, 5);
  read(1, 2, kOther, 5);
  read(2, 6, kTotal, 5);
  EXPECT_EQ(slice(), "0- 1/0 3/0");
  EXPECT_EQ(slice(FailureKind::kAssertion, 2), "1/0 3/0");
}

}  // namespace
}  // namespace heddle::explore
