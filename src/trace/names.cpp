#include "trace/operation.h"
#include "trace/outcome.h"

namespace heddle::trace {

const char* name_of(OpKind value) {
  switch (value) {
    case OpKind::kRead:
      return "read";
    case OpKind::kWrite:
      return "write";
    case OpKind::kUpdate:
      return "update";
    case OpKind::kCas:
      return "cas";
    case OpKind::kCasFailed:
      return "cas-failed";
    case OpKind::kAcquire:
      return "lock";
    case OpKind::kRelease:
      return "unlock";
    case OpKind::kTryAcquire:
      return "try-lock";
    case OpKind::kTryFailed:
      return "try-lock-failed";
    case OpKind::kSharedAcquire:
      return "shared-lock";
    case OpKind::kSharedRelease:
      return "shared-unlock";
    case OpKind::kSharedTry:
      return "try-shared-lock";
    case OpKind::kSharedTryFailed:
      return "try-shared-lock-failed";
    case OpKind::kWaitRelease:
      return "wait-unlock";
    case OpKind::kWait:
      return "wait";
    case OpKind::kTimeout:
      return "timeout";
    case OpKind::kSleep:
      return "sleep";
    case OpKind::kSleepRefused:
      return "sleep-refused";
    case OpKind::kSignal:
      return "signal";
    case OpKind::kBroadcast:
      return "broadcast";
    case OpKind::kSemWait:
      return "sem-wait";
    case OpKind::kSemTry:
      return "sem-try";
    case OpKind::kSemTryFailed:
      return "sem-try-failed";
    case OpKind::kSemPost:
      return "sem-post";
    case OpKind::kArrive:
    case OpKind::kArriveInTurn:
      return "arrive";
    case OpKind::kSpawn:
      return "spawn";
    case OpKind::kJoin:
      return "join";
    case OpKind::kChoose:
      return "choose";
    case OpKind::kBranch:
      return "branch";
    case OpKind::kAssume:
      return "assume";
    case OpKind::kFence:
      return "fence";
    case OpKind::kTerminate:
      return "terminate";
  }
  return "?";
}

const char* name_of(Outcome value) {
  switch (value) {
    case Outcome::kComplete:
      return "complete";
    case Outcome::kDeadlock:
      return "deadlock";
    case Outcome::kFailed:
      return "failed";
    case Outcome::kAsleep:
      return "asleep";
    case Outcome::kCut:
      return "cut";
    case Outcome::kInfeasible:
      return "infeasible";
    case Outcome::kDiverged:
      return "diverged";
  }
  return "?";
}

const char* name_of(FailureKind value) {
  switch (value) {
    case FailureKind::kAssertion:
      return "assertion";
    case FailureKind::kError:
      return "error";
    case FailureKind::kDeadlock:
      return "deadlock";
    case FailureKind::kUnlockNotHeld:
      return "unlock-not-held";
    case FailureKind::kDivisionByZero:
      return "division-by-zero";
    case FailureKind::kIndexOutOfRange:
      return "index-out-of-range";
    case FailureKind::kRelock:
      return "relock";
    case FailureKind::kCrash:
      return "crash";
    case FailureKind::kAbort:
      return "abort";
    case FailureKind::kUncaughtException:
      return "uncaught-exception";
    case FailureKind::kDataRace:
      return "data-race";
    case FailureKind::kUseAfterFree:
      return "use-after-free";
    case FailureKind::kDoubleFree:
      return "double-free";
    case FailureKind::kInvalidFree:
      return "invalid-free";
    case FailureKind::kHeapOverflow:
      return "heap-overflow";
    case FailureKind::kMutexMisuse:
      return "mutex-misuse";
    case FailureKind::kExitWithThreads:
      return "exit-with-threads";
    case FailureKind::kExitCode:
      return "exit-code";
    case FailureKind::kLivelock:
      return "livelock";
    case FailureKind::kOverflow:
      return "overflow";
    case FailureKind::kProperty:
      return "property";
    case FailureKind::kReachable:
      return "reachable";
  }
  return "?";
}

std::optional<FailureKind> failure_named(std::string_view word) {
  for (std::uint64_t kind = 0; kind < kFailureKinds; ++kind)
    if (word == name_of(static_cast<FailureKind>(kind))) return static_cast<FailureKind>(kind);
  return std::nullopt;
}

bool names_failure(std::string_view word) { return failure_named(word).has_value(); }

}  // namespace heddle::trace
