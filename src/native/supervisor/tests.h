// Tests inside a program: HEDDLE_TEST of heddle.h, or GoogleTest's. Each is explored on its own.
//
// A GoogleTest binary is asked for its tests as people ask it (--gtest_list_tests), and one of them is explored by
// running its main with a filter. Expectations that fail break there and then, so that the failing thread is stopped at
// the failing line, as with an assertion.
#pragma once

#include "native/supervisor/supervisor.h"

namespace heddle::native {

// Their names, in the program's order; none if it is a whole program.
Result<std::vector<std::string>> tests_of(const NativeOptions& options);

// Arguments for GoogleTest's main to run only `test`.
std::vector<std::string> google_test_arguments(const std::string& test);
// What a failed expectation looks like to the runtime is a trap: call it by its name.
void name_failed_expectations(explore::ExploreResult& result);

// What --gtest_list_tests prints, as names.
std::vector<std::string> parse_google_test_list(const std::string& text);

}  // namespace heddle::native
