// How an operation turns out, from what it is and the state in which it finds its object; and what it leaves.
#pragma once

#include <optional>

#include "trace/dependence.h"

namespace heddle::trace {

// An operation before it is decided: a failed compare-and-swap might have swapped.
constexpr OpKind undecided(OpKind kind) {
  if (kind == OpKind::kCasFailed) return OpKind::kCas;
  if (kind == OpKind::kTryFailed) return OpKind::kTryAcquire;
  if (kind == OpKind::kSharedTryFailed) return OpKind::kSharedTry;
  if (kind == OpKind::kSemTryFailed) return OpKind::kSemTry;
  if (kind == OpKind::kSleepRefused) return OpKind::kSleep;
  return kind;
}

// Operations on objects that are nothing but a state: locks and semaphores. Who had one before is nothing to see.
constexpr bool is_on_counted(OpKind kind) {
  return (kind >= OpKind::kAcquire && kind <= OpKind::kWaitRelease) ||
         (kind >= OpKind::kSemWait && kind <= OpKind::kSemPost);
}

// Operations that compare what they find. Announced, `after` is with what; done as announced, they have found that.
constexpr bool compares(OpKind kind) {
  return kind == OpKind::kCas || kind == OpKind::kSleep || kind == OpKind::kArriveInTurn;
}

// What an undecided operation is recorded as; nothing if it would have to wait. `expected` is what a compare-and-swap
// or a sleep compares with, or after how many arrivals it is the thread's turn.
constexpr std::optional<OpKind> outcome_at(OpKind kind, std::uint64_t state, std::uint64_t expected) {
  switch (kind) {
    case OpKind::kAcquire:
    case OpKind::kSharedAcquire:
    case OpKind::kSemWait:
    case OpKind::kArriveInTurn:
      if (!enabled_at(kind, state, expected)) return std::nullopt;
      return kind;
    case OpKind::kCas:
      return expected == state ? OpKind::kCas : OpKind::kCasFailed;
    case OpKind::kSleep:
      return expected == state ? OpKind::kSleep : OpKind::kSleepRefused;
    case OpKind::kTryAcquire:
      return state == kLockFree ? OpKind::kTryAcquire : OpKind::kTryFailed;
    case OpKind::kSharedTry:
      return state != kHeldExclusively ? OpKind::kSharedTry : OpKind::kSharedTryFailed;
    case OpKind::kSemTry:
      return state > 0 ? OpKind::kSemTry : OpKind::kSemTryFailed;
    default:
      return kind;
  }
}

// The state of the object after an operation that was recorded with these values.
constexpr std::uint64_t state_after(OpKind kind, std::uint64_t before, std::uint64_t after) {
  switch (kind) {
    case OpKind::kAcquire:
    case OpKind::kTryAcquire:
      return kHeldExclusively;
    case OpKind::kRelease:
    case OpKind::kWaitRelease:
      return kLockFree;
    case OpKind::kSleep:
      return before;
    case OpKind::kSharedAcquire:
    case OpKind::kSharedTry:
    case OpKind::kSemPost:
      return before + 1;
    case OpKind::kSharedRelease:
    case OpKind::kSemWait:
    case OpKind::kSemTry:
      return before - 1;
    default:
      return after;
  }
}

}  // namespace heddle::trace
