#include "trace/object.h"

#include <gtest/gtest.h>

#include <random>

#include "trace/dependence.h"
#include "trace/reversal.h"

namespace heddle::trace {
namespace {

Operation announce(OpKind kind, std::uint64_t expected = 0) {
  return {.kind = kind, .object = ObjectId(1), .after = expected};
}

// A reader-writer lock as one would write it: who has it, and how many read.
struct PlainLock {
  bool written = false;
  int readers = 0;

  std::uint64_t state() const { return written ? kHeldExclusively : static_cast<std::uint64_t>(readers); }
  // What comes of an operation: nothing if it would wait or makes no sense.
  std::optional<bool> apply(OpKind kind) {
    const bool free = !written && readers == 0;
    switch (kind) {
      case OpKind::kAcquire:
        if (!free) return std::nullopt;
        [[fallthrough]];
      case OpKind::kTryAcquire:
        written = written || free;
        return free;
      case OpKind::kSharedAcquire:
        if (written) return std::nullopt;
        [[fallthrough]];
      case OpKind::kSharedTry:
        if (!written) ++readers;
        return !written;
      case OpKind::kRelease:
        if (!written) return std::nullopt;
        written = false;
        return true;
      case OpKind::kSharedRelease:
        if (readers == 0) return std::nullopt;
        --readers;
        return true;
      default:
        return std::nullopt;
    }
  }
};

constexpr OpKind kLockKinds[] = {OpKind::kAcquire,       OpKind::kTryAcquire, OpKind::kRelease,
                                 OpKind::kSharedAcquire, OpKind::kSharedTry,  OpKind::kSharedRelease};

TEST(Objects, ALockDoesWhatAPlainLockDoes) {
  std::mt19937 random(7);
  PlainLock plain;
  std::uint64_t state = kLockFree;
  int failed = 0;
  for (int i = 0; i < 20000; ++i) {
    const OpKind kind = kLockKinds[random() % std::size(kLockKinds)];
    const bool gives = gives_lock(kind);
    PlainLock before = plain;
    const std::optional<bool> truth = plain.apply(kind);
    if (!gives) EXPECT_EQ(outcome_at(kind, state, 0).has_value(), truth.has_value()) << name_of(kind);
    if (!truth) continue;
    Operation op = announce(kind);
    EXPECT_EQ(settle(op, state), *truth) << name_of(kind);
    EXPECT_EQ(op.before, before.state());
    EXPECT_EQ(op.after, plain.state());
    EXPECT_EQ(undecided(op.kind), kind);
    state = state_after(op.kind, op.before, op.after);
    EXPECT_EQ(state, plain.state());
    failed += !*truth;
  }
  EXPECT_GT(failed, 100);
}

TEST(Objects, ASemaphoreCounts) {
  std::uint64_t count = 0;
  EXPECT_FALSE(enabled_at(OpKind::kSemWait, count, 0));
  Operation op = announce(OpKind::kSemTry);
  EXPECT_FALSE(settle(op, count));
  EXPECT_EQ(op.kind, OpKind::kSemTryFailed);
  op = announce(OpKind::kSemPost);
  EXPECT_TRUE(settle(op, count));
  count = op.after;
  EXPECT_EQ(count, 1u);
  EXPECT_TRUE(enabled_at(OpKind::kSemWait, count, 0));
  op = announce(OpKind::kSemTry);
  EXPECT_TRUE(settle(op, count));
  EXPECT_EQ(op.after, 0u);
}

// As much as it happens to be, which only who does it knows.
TEST(Objects, APipeHoldsWhatWasPutInAndNotTakenOut) {
  EXPECT_FALSE(enabled_at(OpKind::kReceive, 0, 0));
  EXPECT_TRUE(enabled_at(OpKind::kReceive, 4, 0));
  EXPECT_EQ(state_after(OpKind::kSend, 1, 5), 5u);
  EXPECT_EQ(state_after(OpKind::kReceive, 5, 2), 2u);
  EXPECT_EQ(state_after(OpKind::kReceive, 5, 0), 0u);
  Step one{.op = {.kind = OpKind::kSend, .object = ObjectId(1)}, .thread = ThreadId(1)}, other = one;
  other.thread = ThreadId(2);
  EXPECT_TRUE(dependent(one, other));  // who reads finds the bytes in their order
}

TEST(Objects, WhatComparesFindsWhatItExpectsOrNot) {
  Operation op = announce(OpKind::kCas, 3);
  EXPECT_TRUE(settle(op, 3, 9));
  EXPECT_EQ(op, (Operation{.kind = OpKind::kCas, .object = ObjectId(1), .before = 3, .after = 9}));
  op = announce(OpKind::kCas, 3);
  EXPECT_FALSE(settle(op, 4, 9));
  EXPECT_EQ(op, (Operation{.kind = OpKind::kCasFailed, .object = ObjectId(1), .before = 4, .after = 3}));
  EXPECT_EQ(state_after(op.kind, op.before, op.after), 4u);
  op = announce(OpKind::kSleep, 5);
  EXPECT_TRUE(settle(op, 5, kTimedWait));
  EXPECT_EQ(op.after, kTimedWait);
  op = announce(OpKind::kSleep, 5);
  EXPECT_FALSE(settle(op, 6, kTimedWait));
  EXPECT_EQ(op, (Operation{.kind = OpKind::kSleepRefused, .object = ObjectId(1), .before = 6, .after = 5}));
}

// Two steps that follow each other, and the second one done first: what turn_to_first() foretells is what happens.
TEST(Objects, ARaceTurnedRoundIsWhatHappens) {
  constexpr OpKind kinds[] = {OpKind::kCas,    OpKind::kUpdate,        OpKind::kTryAcquire, OpKind::kSharedTry,
                              OpKind::kSemTry, OpKind::kSharedAcquire, OpKind::kSemPost};
  std::mt19937 random(11);
  int turned = 0;
  for (int i = 0; i < 20000; ++i) {
    const OpKind a = kinds[random() % std::size(kinds)], b = kinds[random() % std::size(kinds)];
    if (row_of(a).subject != row_of(b).subject) continue;
    std::uint64_t state = random() % 3;
    if (on_lock(a) && state == 2) state = kHeldExclusively;
    const auto announced = [&](OpKind kind) { return announce(kind, kind == OpKind::kCas ? random() % 3 : 0); };
    const Operation first = announced(a), second = announced(b);
    if (!outcome_at(a, state, first.after) || !outcome_at(b, state, second.after)) continue;
    Step x, y, alone;
    x.op = first;
    settle(x.op, state, 1);
    const std::uint64_t between = state_after(x.op.kind, x.op.before, x.op.after);
    if (!outcome_at(b, between, second.after)) continue;
    y.op = alone.op = second;
    settle(y.op, between, 2);
    settle(alone.op, state, 2);
    if (!dependent_on_one_object(x.op.kind, y.op.kind)) continue;
    const Step foretold = as_if_first(y, x);
    EXPECT_EQ(foretold.op.kind, alone.op.kind) << name_of(x.op.kind) << ", " << name_of(y.op.kind) << " at " << state;
    EXPECT_EQ(foretold.op.before, state);
    turned += foretold.op.kind != y.op.kind;
  }
  EXPECT_GT(turned, 500);
}

TEST(Objects, AQueueBeforeAStepIsThatAfterItUndone) {
  const auto step = [](std::uint16_t thread, OpKind kind, ThreadSet set, std::uint16_t choice = 0) {
    Step s;
    s.thread = ThreadId(thread);
    s.op.kind = kind;
    s.set = set;
    s.choice = choice;
    return s;
  };
  const ThreadSet both = ThreadSet::of(1) | ThreadSet::of(2);
  EXPECT_EQ(queue_after(step(2, OpKind::kWait, {}), ThreadSet::of(1)), both);
  EXPECT_EQ(queue_before(step(2, OpKind::kWait, {}), both), ThreadSet::of(1));
  EXPECT_EQ(queue_after(step(2, OpKind::kTimeout, {}), both), ThreadSet::of(1));
  EXPECT_EQ(queue_before(step(2, OpKind::kTimeout, {}), ThreadSet::of(1)), both);
  EXPECT_EQ(queue_after(step(0, OpKind::kSignal, both, 2), both), ThreadSet::of(1));
  EXPECT_EQ(queue_before(step(0, OpKind::kSignal, both, 2), ThreadSet::of(1)), both);
  EXPECT_EQ(queue_after(step(0, OpKind::kBroadcast, both), both), ThreadSet{});
  EXPECT_EQ(queue_before(step(0, OpKind::kBroadcast, both), ThreadSet{}), both);
  EXPECT_EQ(queue_after(step(0, OpKind::kSignal, {}), {}), ThreadSet{});
}

}  // namespace
}  // namespace heddle::trace
