// Invariants are code: a broken one is a bug of Heddle's own, never of the program under test, so it
// stops the process in every build and says what was being done. REQUIRE is the caller's duty, ENSURE the
// result's, INVARIANT everything between. SLOW_INVARIANT costs more than the code it guards and runs only
// where slow checks are switched on (tests, `--check`).
#pragma once

namespace heddle {

// Called once with the message before the process ends; the engine installs a hook that prints the schedule
// under execution, so that our own bugs replay too.
using FailureHook = void (*)();
void set_failure_hook(FailureHook hook);

inline bool slow_checks = false;

[[noreturn]] void assertion_failed(const char* kind, const char* condition, const char* file, int line);

}  // namespace heddle

#define HEDDLE_CHECK_(kind, condition)                                  \
  do {                                                                  \
    if (!(condition)) [[unlikely]]                                      \
      ::heddle::assertion_failed(kind, #condition, __FILE__, __LINE__); \
  } while (false)

#define REQUIRE(condition) HEDDLE_CHECK_("REQUIRE", condition)
#define ENSURE(condition) HEDDLE_CHECK_("ENSURE", condition)
#define INVARIANT(condition) HEDDLE_CHECK_("INVARIANT", condition)
#define SLOW_INVARIANT(condition)                 \
  do {                                            \
    if (::heddle::slow_checks) [[unlikely]]       \
      HEDDLE_CHECK_("SLOW_INVARIANT", condition); \
  } while (false)
