// Which operations commute. Two steps are independent when executing them in either order leads to the same
// state and neither enables or disables the other; executions that differ only in the order of adjacent
// independent steps are one class (Mazurkiewicz trace).
//
// Within one object the relation is a table over operation kinds, computed at compile time from one trait per
// kind; a kind without a trait does not compile. Across objects steps are dependent only through their
// threads: same thread, spawn and join, and waking.
#pragma once

#include <array>

#include "trace/operation.h"

namespace heddle::trace {

enum class Access : std::uint8_t { kNone, kReads, kWrites };

// How a kind, as it happened, touches its object. Lock, semaphore, barrier and condition-variable operations
// count as writes: their order on one object is always observable. (Readers of a reader-writer lock would
// commute; keeping them ordered is sound and keeps every such object's history a total order.)
consteval Access access_of_kind(OpKind kind) {
  switch (kind) {
    case OpKind::kRead:
    case OpKind::kCasFailed:
    case OpKind::kTryFailed:
    case OpKind::kSharedTryFailed:
    case OpKind::kSemTryFailed:
    case OpKind::kSleepRefused:
      return Access::kReads;
    case OpKind::kWrite:
    case OpKind::kUpdate:
    case OpKind::kCas:
    case OpKind::kAcquire:
    case OpKind::kRelease:
    case OpKind::kTryAcquire:
    case OpKind::kSharedAcquire:
    case OpKind::kSharedRelease:
    case OpKind::kSharedTry:
    case OpKind::kWaitRelease:
    case OpKind::kWait:
    case OpKind::kTimeout:
    case OpKind::kSleep:
    case OpKind::kSignal:
    case OpKind::kBroadcast:
    case OpKind::kSemWait:
    case OpKind::kSemTry:
    case OpKind::kSemPost:
    case OpKind::kArrive:
    case OpKind::kArriveInTurn:
      return Access::kWrites;
    case OpKind::kSpawn:
    case OpKind::kJoin:
    case OpKind::kChoose:
    case OpKind::kBranch:
    case OpKind::kAssume:
    case OpKind::kFence:
    case OpKind::kTerminate:
      return Access::kNone;
  }
  throw "an operation kind has no access trait";
}

// Kinds that may find themselves disabled.
consteval bool kind_blocks(OpKind kind) {
  switch (kind) {
    case OpKind::kAcquire:
    case OpKind::kSharedAcquire:
    case OpKind::kSemWait:
    case OpKind::kArriveInTurn:
    case OpKind::kJoin:
      return true;
    case OpKind::kRead:
    case OpKind::kWrite:
    case OpKind::kUpdate:
    case OpKind::kCas:
    case OpKind::kCasFailed:
    case OpKind::kRelease:
    case OpKind::kTryAcquire:
    case OpKind::kTryFailed:
    case OpKind::kSharedRelease:
    case OpKind::kSharedTry:
    case OpKind::kSharedTryFailed:
    case OpKind::kWaitRelease:
    case OpKind::kWait:
    case OpKind::kTimeout:
    case OpKind::kSleep:
    case OpKind::kSleepRefused:
    case OpKind::kSignal:
    case OpKind::kBroadcast:
    case OpKind::kSemTry:
    case OpKind::kSemTryFailed:
    case OpKind::kSemPost:
    case OpKind::kArrive:
    case OpKind::kSpawn:
    case OpKind::kChoose:
    case OpKind::kBranch:
    case OpKind::kAssume:
    case OpKind::kFence:
    case OpKind::kTerminate:
      return false;
  }
  throw "an operation kind has no blocking trait";
}

struct KindTable {
  std::array<Access, kOpKinds> access{};
  std::array<bool, kOpKinds> blocks{};
  std::array<std::array<bool, kOpKinds>, kOpKinds> dependent{};   // on one object
  std::array<std::array<bool, kOpKinds>, kOpKinds> co_enabled{};  // on one object, from two threads
};

consteval KindTable make_kind_table() {
  constexpr auto kind = [](int i) { return static_cast<OpKind>(i); };
  KindTable table;
  for (int a = 0; a < kOpKinds; ++a) {
    table.access[a] = access_of_kind(kind(a));
    table.blocks[a] = kind_blocks(kind(a));
  }
  for (int a = 0; a < kOpKinds; ++a) {
    for (int b = 0; b < kOpKinds; ++b) {
      const Access x = table.access[a], y = table.access[b];
      table.dependent[a][b] =
          x != Access::kNone && y != Access::kNone && (x == Access::kWrites || y == Access::kWrites);
      // A release needs the lock held by its own thread, a blocking acquire needs it free. It is one thread's turn.
      const auto releases = [&](int k) { return kind(k) == OpKind::kRelease || kind(k) == OpKind::kWaitRelease; };
      const auto acquires = [&](int k) { return kind(k) == OpKind::kAcquire || kind(k) == OpKind::kSharedAcquire; };
      const bool in_turn = kind(a) == OpKind::kArriveInTurn && kind(b) == OpKind::kArriveInTurn;
      table.co_enabled[a][b] =
          !(releases(a) && acquires(b)) && !(acquires(a) && releases(b)) && !(releases(a) && releases(b)) && !in_turn;
    }
  }
  return table;
}

inline constexpr KindTable kKindTable = make_kind_table();

constexpr Access access_of(OpKind kind) { return kKindTable.access[static_cast<int>(kind)]; }
constexpr bool blocks(OpKind kind) { return kKindTable.blocks[static_cast<int>(kind)]; }
constexpr bool dependent_on_one_object(OpKind a, OpKind b) {
  return kKindTable.dependent[static_cast<int>(a)][static_cast<int>(b)];
}
constexpr bool may_be_co_enabled(OpKind a, OpKind b) {
  return kKindTable.co_enabled[static_cast<int>(a)][static_cast<int>(b)];
}

namespace detail {
// Spawn, join, waking and termination: dependence that does not go through a common object.
inline bool touches_thread(const Step& a, const Step& b) {
  switch (a.op.kind) {
    case OpKind::kTerminate:
      return true;
    case OpKind::kJoin:
    case OpKind::kSpawn:
      return a.op.peer == b.thread;
    default:
      return woken_by(a).contains(b.thread) && b.op.kind != OpKind::kWaitRelease;
  }
}
}  // namespace detail

inline bool dependent(const Step& a, const Step& b) {
  if (a.thread == b.thread) return true;
  if (a.op.object == b.op.object && a.op.object != kNoObject && dependent_on_one_object(a.op.kind, b.op.kind))
    return true;
  // Plain accesses, by far the most frequent, cannot touch a thread.
  if (a.op.kind <= OpKind::kWaitRelease && b.op.kind <= OpKind::kWaitRelease) return false;
  return detail::touches_thread(a, b) || detail::touches_thread(b, a);
}

// Is this what a thread does that has something to give: does it change what others see? A thread that looks or waits
// for something to do loses nothing when the process ends.
constexpr bool gives_to_others(OpKind kind) {
  switch (kind) {
    case OpKind::kWrite:
    case OpKind::kUpdate:
    case OpKind::kCas:
    case OpKind::kRelease:
    case OpKind::kSharedRelease:
    case OpKind::kSignal:
    case OpKind::kBroadcast:
    case OpKind::kSemPost:
    case OpKind::kArrive:
    case OpKind::kArriveInTurn:
    case OpKind::kSpawn:
      return true;
    case OpKind::kRead:
    case OpKind::kCasFailed:
    case OpKind::kAcquire:
    case OpKind::kTryAcquire:
    case OpKind::kTryFailed:
    case OpKind::kSharedAcquire:
    case OpKind::kSharedTry:
    case OpKind::kSharedTryFailed:
    case OpKind::kWaitRelease:
    case OpKind::kWait:
    case OpKind::kTimeout:
    case OpKind::kSleep:
    case OpKind::kSleepRefused:
    case OpKind::kSemWait:
    case OpKind::kSemTry:
    case OpKind::kSemTryFailed:
    case OpKind::kJoin:
    case OpKind::kChoose:
    case OpKind::kBranch:
    case OpKind::kAssume:
    case OpKind::kFence:
    case OpKind::kTerminate:
      return false;
  }
  return false;
}

// Would a blocking operation of this kind be enabled with its object in the state `value`? `turn`: after how many
// arrivals it is its turn, if it is an arrival in turn. (That is no other arrival's; but a barrier may be destroyed in
// between.)
constexpr bool enabled_at(OpKind kind, std::uint64_t value, std::uint64_t turn) {
  switch (kind) {
    case OpKind::kAcquire:
      return value == kLockFree;
    case OpKind::kSharedAcquire:
      return value != kHeldExclusively;
    case OpKind::kSemWait:
      return value > 0;
    case OpKind::kArriveInTurn:
      return value == turn;
    default:
      return true;
  }
}

}  // namespace heddle::trace
