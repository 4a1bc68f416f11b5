// Tests inside a program: HEDDLE_TEST of heddle.h, or those of GoogleTest, Catch2 and doctest. Each is explored on its
// own.
//
// A GoogleTest binary is asked for its tests as people ask it (--gtest_list_tests), and one of them is explored by
// running its main with a filter. Expectations that fail break there and then, so that the failing thread is stopped at
// the failing line, as with an assertion. Catch2 and doctest break only for debuggers: there a failed test ends the
// program with an exit code, which is then a finding even where exit codes are to be left out, and what they print says
// where.
#pragma once

#include "native/supervisor/supervisor.h"

namespace heddle::supervisor {

// Their names, in the program's order; none if it is a whole program.
Result<std::vector<std::string>> tests_of(const NativeOptions& options);

// Arguments for the framework's main to run only `test`.
std::vector<std::string> arguments_for(TestFramework framework, const std::string& test);
// What a failed expectation looks like to the runtime is a trap, or a process that ends with an exit code: call it by
// its name.
void name_failed_expectations(TestFramework framework, explore::ExploreResult& result);

// Does the output of one of GoogleTest's say that it was not run to its end?
bool says_it_is_skipped(const std::string& output);

// What --gtest_list_tests prints, as names.
std::vector<std::string> parse_google_test_list(const std::string& text);
// What doctest's --list-test-cases prints.
std::vector<std::string> parse_doctest_list(const std::string& text);

}  // namespace heddle::supervisor
