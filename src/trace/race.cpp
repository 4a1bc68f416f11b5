#include "trace/race.h"

#include "trace/dependence.h"

namespace heddle::trace {
namespace {

// Waiters that `second` (a signal or broadcast) finds when it runs in place of `first`.
ThreadSet waiters_before(const Step& first, ThreadSet waiters) {
  switch (first.op.kind) {
    case OpKind::kWait:
    case OpKind::kSleep:
      waiters.erase(first.thread);
      return waiters;
    case OpKind::kTimeout:
      waiters.insert(first.thread);
      return waiters;
    case OpKind::kSignal:
    case OpKind::kBroadcast:
      return waiters | woken_by(first);
    default:
      return waiters;
  }
}

}  // namespace

void turn_to_first(Step& second, const Step& first) {
  if (first.op.object != second.op.object || first.op.object == kNoObject) return;
  Operation& op = second.op;
  const std::uint64_t found = first.op.before;
  switch (op.kind) {
    case OpKind::kCas:
      if (access_of(first.op.kind) == Access::kWrites && op.before != found) {
        op.kind = OpKind::kCasFailed;
        op.after = op.before;  // what it expected
      }
      break;
    case OpKind::kCasFailed:
      if (access_of(first.op.kind) == Access::kWrites && op.after == found) op.kind = OpKind::kCas;
      break;
    case OpKind::kTryAcquire:
      if (found != kLockFree) op.kind = OpKind::kTryFailed;
      break;
    case OpKind::kTryFailed:
      if (found == kLockFree) op.kind = OpKind::kTryAcquire;
      break;
    case OpKind::kSharedTry:
      if (found == kHeldExclusively) op.kind = OpKind::kSharedTryFailed;
      break;
    case OpKind::kSharedTryFailed:
      if (found != kHeldExclusively) op.kind = OpKind::kSharedTry;
      break;
    case OpKind::kSemTry:
      if (found == 0) op.kind = OpKind::kSemTryFailed;
      break;
    case OpKind::kSemTryFailed:
      if (found > 0) op.kind = OpKind::kSemTry;
      break;
    case OpKind::kSleep:
      if (access_of(first.op.kind) == Access::kWrites && op.before != found) {
        op.kind = OpKind::kSleepRefused;
        op.after = op.before;  // what it expected
      }
      break;
    case OpKind::kSleepRefused:
      if (access_of(first.op.kind) == Access::kWrites && op.after == found) {
        op.kind = OpKind::kSleep;
        op.after = 0;
      }
      break;
    case OpKind::kSignal:
      second.set = waiters_before(first, second.set);
      if (second.set.empty())
        second.choice = 0;
      else if (!second.set.contains(second.choice))
        second.choice = static_cast<std::uint16_t>(second.set.first());
      break;
    case OpKind::kBroadcast:
      second.set = waiters_before(first, second.set);
      break;
    case OpKind::kArrive:
      second.set = first.set;  // it takes first's place among the arrivals
      break;
    case OpKind::kRead:
    case OpKind::kWrite:
    case OpKind::kUpdate:
    case OpKind::kAcquire:
    case OpKind::kRelease:
    case OpKind::kSharedAcquire:
    case OpKind::kSharedRelease:
    case OpKind::kWaitRelease:
    case OpKind::kWait:
    case OpKind::kTimeout:
    case OpKind::kSemWait:
    case OpKind::kSemPost:
    case OpKind::kArriveInTurn:
    case OpKind::kSpawn:
    case OpKind::kJoin:
    case OpKind::kChoose:
    case OpKind::kBranch:
    case OpKind::kAssume:
    case OpKind::kFence:
    case OpKind::kTerminate:
      break;
  }
  op.before = found;
}

Step as_if_last(const Pending& pending) {
  Step step = pending.step;
  Operation& op = step.op;
  if (!pending.enabled || !is_attempt(op.kind)) return step;
  if (!pending.found) {
    op.kind = OpKind::kUpdate;
    return step;
  }
  const std::uint64_t found = *pending.found, expected = op.after;
  switch (op.kind) {
    case OpKind::kCas:
      if (found != expected) op.kind = OpKind::kCasFailed;
      break;
    case OpKind::kSleep:
      if (found != expected)
        op.kind = OpKind::kSleepRefused;
      else
        op.after = 0;
      break;
    case OpKind::kTryAcquire:
      if (found != kLockFree) op.kind = OpKind::kTryFailed;
      break;
    case OpKind::kSharedTry:
      if (found == kHeldExclusively) op.kind = OpKind::kSharedTryFailed;
      break;
    default:
      INVARIANT(op.kind == OpKind::kSemTry);
      if (found == 0) op.kind = OpKind::kSemTryFailed;
      break;
  }
  op.before = found;
  return step;
}

}  // namespace heddle::trace
