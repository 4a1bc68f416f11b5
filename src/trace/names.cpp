#include "trace/outcome.h"

namespace heddle::trace {

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
