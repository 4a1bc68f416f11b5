// How an execution ended and what was wrong in it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/strong_id.h"

namespace heddle::trace {

enum class Outcome : std::uint8_t {
  kComplete,    // every thread ended
  kDeadlock,    // some thread waits and nobody can run
  kFailed,      // at least one thread failed (and was stopped there; the others went on to their end)
  kAsleep,      // only sleeping threads could go on: the rest is explored elsewhere
  kCut,         // a thread exceeded the step bound
  kInfeasible,  // an assumption did not hold
  kDiverged,    // the schedule could not be followed: the program is not deterministic, or it has changed
};

inline constexpr std::uint64_t kOutcomes = static_cast<std::uint64_t>(Outcome::kDiverged) + 1;

const char* name_of(Outcome outcome);

enum class FailureKind : std::uint8_t {
  kAssertion,
  kError,
  kDeadlock,
  kUnlockNotHeld,
  kDivisionByZero,
  kIndexOutOfRange,
  kRelock,
  kCrash,
  kAbort,
  kUncaughtException,
  kDataRace,
  kUseAfterFree,
  kDoubleFree,
  kInvalidFree,
  kHeapOverflow,
  kMutexMisuse,
  kExitWithThreads,
  kExitCode,
  kLivelock,
  kOverflow,
  kProperty,   // a state in which a property does not hold
  kReachable,  // a state that the user asked for
};

inline constexpr std::uint64_t kFailureKinds = static_cast<std::uint64_t>(FailureKind::kReachable) + 1;

// The word used in JSON and on the terminal.
const char* name_of(FailureKind kind);
std::optional<FailureKind> failure_named(std::string_view word);
bool names_failure(std::string_view word);
// Is it for the program's author to say whether that is wrong? Such a failure comes behind others of its execution, and
// can be left out.
constexpr bool is_matter_of_taste(FailureKind kind) {
  return kind == FailureKind::kExitWithThreads || kind == FailureKind::kExitCode;
}

// Is it about a global state, so that of two executions of one class one may show it and the other not?
constexpr bool is_about_state(FailureKind kind) {
  return kind == FailureKind::kProperty || kind == FailureKind::kReachable;
}

// Something wrong with the program under test, at a point of one execution. A failing thread is stopped and the
// others go on: the failure depends on nothing they do later, so every class still has its complete
// members and the search stays exhaustive.
struct Failure {
  FailureKind kind = FailureKind::kAssertion;
  EventIndex step = 0;          // number of steps done when it happened
  ThreadId thread = kNoThread;  // kNoThread: the failure is of the whole program (deadlock)
  std::uint32_t where = 0;
  std::string message;
  // Of a state that another execution of the class passes: the steps that have been done in it. Empty: the first
  // `step`.
  std::vector<EventIndex> after = {};
  std::string state = {};  // what the property speaks of, there: "i = 11, locked(m)"
  bool operator==(const Failure&) const = default;
};

}  // namespace heddle::trace
