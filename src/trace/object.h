// What operations do to objects: the one meaning of a lock, a semaphore, a barrier, a word that threads sleep on.
// Models, native programs, the embedding API, unfoldings, races and waiting all ask here; only the slow twins in check/
// say it once more, to be compared.
//
// An object is an automaton. Its state is a number: the value of memory, kLockFree, kHeldExclusively or the number of
// readers of a lock, the count of a semaphore, how much a pipe holds, how many arrivals are missing at a barrier or, in
// turn, have been. Beside it is a queue: the threads that wait there to be woken. An operation that is about to happen
// finds a state;
//
//   enabled_at    may it happen there?
//   outcome_at    as what is it recorded: a try-lock that finds the lock held is one that failed
//   state_after   and what does it leave?
//   settle        all of that for one announced operation
//   queue_after   who waits then, and who has waited before
//
// Races are turned round with the same functions (trace/reversal.h): everything before both steps stays as it was, so
// the object is found as the first step found it, and that decides how the second one turns out in its place.
#pragma once

#include <optional>

#include "base/assert.h"
#include "trace/operation.h"

namespace heddle::trace {

// Would a blocking operation of this kind be enabled with its object in the state `state`? `turn`: after how many
// arrivals it is its turn, if it is an arrival in turn. (That is no other arrival's; but a barrier may be destroyed in
// between.)
constexpr bool enabled_at(OpKind kind, std::uint64_t state, std::uint64_t turn) {
  switch (kind) {
    case OpKind::kAcquire:
      return state == kLockFree;
    case OpKind::kSharedAcquire:
      return state != kHeldExclusively;
    case OpKind::kSemWait:
    case OpKind::kReceive:
      return state > 0;
    case OpKind::kArriveInTurn:
      return state == turn;
    default:
      return true;
  }
}

// What an undecided operation is recorded as; nothing if it would have to wait. `expected` is what a compare-and-swap
// or a sleep compares with, or after how many arrivals it is the thread's turn.
constexpr std::optional<OpKind> outcome_at(OpKind kind, std::uint64_t state, std::uint64_t expected) {
  switch (kind) {
    case OpKind::kCas:
      return expected == state ? OpKind::kCas : OpKind::kCasFailed;
    case OpKind::kSleep:
      return expected == state ? OpKind::kSleep : OpKind::kSleepRefused;
    case OpKind::kTryAcquire:
      return enabled_at(OpKind::kAcquire, state, 0) ? OpKind::kTryAcquire : OpKind::kTryFailed;
    case OpKind::kSharedTry:
      return enabled_at(OpKind::kSharedAcquire, state, 0) ? OpKind::kSharedTry : OpKind::kSharedTryFailed;
    case OpKind::kSemTry:
      return enabled_at(OpKind::kSemWait, state, 0) ? OpKind::kSemTry : OpKind::kSemTryFailed;
    default:
      if (!enabled_at(kind, state, expected)) return std::nullopt;
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
    case OpKind::kSleepRefused:
    case OpKind::kCasFailed:
    case OpKind::kTryFailed:
    case OpKind::kSharedTryFailed:
    case OpKind::kSemTryFailed:
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

namespace detail {

// The functions above end in `default`; a row of the table that says more than they do does not compile.
consteval bool objects_do_what_the_table_says() {
  constexpr std::uint64_t states[] = {0, 1, 2, kHeldExclusively};
  for (const KindRow& row : kKindRows) {
    bool waits = false, outcome = row.attempt == row.kind, changes = false, keeps = true;
    for (const std::uint64_t state : states) {
      waits = waits || !enabled_at(row.kind, state, /*turn=*/3);
      for (const std::uint64_t expected : states)
        outcome = outcome || outcome_at(row.attempt, state, expected) == row.kind;
      const bool same = state_after(row.kind, state, state) == state;
      changes = changes || !same;
      keeps = keeps && same;
    }
    if (waits != (row.waiting == Waiting::kBlocks && row.subject != Subject::kThread)) throw "blocks, or not?";
    if (!outcome) throw "an attempt never turns out so";
    const bool counted = row.subject == Subject::kLock || row.subject == Subject::kCount;
    if (counted && row.holding != Holding::kNothing && !changes) throw "takes or gives, and changes nothing";
    if (row.access == Access::kReads && row.subject != Subject::kMemory && !keeps) throw "only looks, and changes";
  }
  return true;
}
static_assert(objects_do_what_the_table_says());

}  // namespace detail

// An announced operation happens with its object in the state `found`: decides as what, and fills in `before` and
// `after`. `left` is what a memory operation leaves if it writes. False: an attempt that fails.
constexpr bool settle(Operation& op, std::uint64_t found, std::uint64_t left = 0) {
  const OpKind announced = op.kind;
  const std::optional<OpKind> outcome = outcome_at(announced, found, op.after);
  INVARIANT(outcome.has_value());
  op.kind = *outcome;
  op.before = found;
  const bool succeeds = op.kind == announced;
  if (announced == OpKind::kCas || announced == OpKind::kSleep) {
    if (succeeds) op.after = left;  // otherwise it stays what was expected
  } else if (op.kind == OpKind::kWrite || op.kind == OpKind::kUpdate) {
    op.after = left;
  } else if (op.kind == OpKind::kRead) {
    op.after = found;
  } else if (is_on_counted(op.kind) && op.kind != OpKind::kWaitRelease) {  // that says whether it is a timed wait
    op.after = state_after(op.kind, found, found);
  }
  return succeeds;
}

// Who waits at the object after the step, if `waiters` waited before it. A waiter that is signalled before it has
// released its mutex is in the queue no more.
inline ThreadSet queue_after(const Step& step, ThreadSet waiters) {
  switch (step.op.kind) {
    case OpKind::kWait:
    case OpKind::kSleep:
      waiters.insert(step.thread);
      return waiters;
    case OpKind::kTimeout:
      waiters.erase(step.thread);
      return waiters;
    case OpKind::kSignal:
    case OpKind::kBroadcast:
      return waiters - woken_by(step);
    default:
      return waiters;
  }
}

// Who waited there before the step, if `waiters` waited after it.
inline ThreadSet queue_before(const Step& step, ThreadSet waiters) {
  switch (step.op.kind) {
    case OpKind::kWait:
    case OpKind::kSleep:
      waiters.erase(step.thread);
      return waiters;
    case OpKind::kTimeout:
      waiters.insert(step.thread);
      return waiters;
    case OpKind::kSignal:
    case OpKind::kBroadcast:
      return waiters | woken_by(step);
    default:
      return waiters;
  }
}

}  // namespace heddle::trace
