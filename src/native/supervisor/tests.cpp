#include "native/supervisor/tests.h"

#include <sstream>

#include "native/supervisor/child_process.h"

namespace heddle::supervisor {
namespace {

std::string without_comment(const std::string& line) {
  std::string text = line.substr(0, line.find('#'));
  while (!text.empty() && (text.back() == ' ' || text.back() == '\r')) text.pop_back();
  return text;
}

// As people ask it; it need not say that it is only one schedule.
Result<Finished> ask(const std::string& executable, const std::vector<std::string>& how) {
  std::vector<std::string> command = {"env", "HEDDLE_QUIET=1", executable};
  command.insert(command.end(), how.begin(), how.end());
  return run_tool({command, {}, false});
}

Result<std::vector<std::string>> google_tests(const std::string& executable) {
  auto listed = ask(executable, {"--gtest_list_tests", "--gtest_color=no"});
  if (!listed) return listed.error();
  if (listed->code != 0)
    return Error{"\"" + executable + "\" does not list its tests (exit code " + std::to_string(listed->code) +
                 " for --gtest_list_tests); run it by hand to see why"};
  return parse_google_test_list(listed->output);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> all;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (!line.empty()) all.push_back(line);
  return all;
}

// One name a line. Its exit code is their number, or 0, depending on the version.
Result<std::vector<std::string>> catch_tests(const std::string& executable) {
  auto listed = ask(executable, {"--list-test-names-only"});
  if (!listed) return listed.error();
  std::vector<std::string> names = lines_of(listed->output);
  if (!names.empty() && names.front().find("rror") == std::string::npos) return names;
  listed = ask(executable, {"--list-tests", "--verbosity", "quiet"});  // since version 3
  if (!listed) return listed.error();
  return lines_of(listed->output);
}

Result<std::vector<std::string>> doctest_tests(const std::string& executable) {
  auto listed = ask(executable, {"--list-test-cases", "--no-colors=1"});
  if (!listed) return listed.error();
  return parse_doctest_list(listed->output);
}

// With a backslash before what the framework would read as part of a pattern.
std::string escaped(const std::string& name, const std::string& special) {
  std::string text;
  for (const char c : name) {
    if (special.find(c) != std::string::npos) text += '\\';
    text += c;
  }
  return text;
}

// GoogleTest would skip it.
bool is_disabled(const std::string& test) {
  for (const char* mark : {"/DISABLED_", ".DISABLED_"})
    if (test.find(mark) != test.npos) return true;
  return test.starts_with("DISABLED_");
}

}  // namespace

std::vector<std::string> parse_google_test_list(const std::string& text) {
  std::vector<std::string> names;
  std::string suite;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::string name = without_comment(line);
    if (name.starts_with("  ") && !suite.empty()) {
      if (const std::string test = suite + name.substr(2); !is_disabled(test)) names.push_back(test);
    } else if (name.ends_with(".")) {
      suite = name;
    } else {
      suite.clear();  // something that the program prints itself
    }
  }
  return names;
}

Result<std::vector<std::string>> tests_of(const NativeOptions& options) {
  auto prepared = prepare(options);
  if (!prepared) return prepared.error();
  switch (prepared->framework) {
    case TestFramework::kGoogleTest:
      return google_tests(prepared->executable);
    case TestFramework::kCatch2:
      return catch_tests(prepared->executable);
    case TestFramework::kDoctest:
      return doctest_tests(prepared->executable);
    case TestFramework::kNone:
      break;
  }
  if (!prepared->has_tests) return std::vector<std::string>();
  return list_tests(options);
}

std::vector<std::string> parse_doctest_list(const std::string& text) {
  std::vector<std::string> names;
  for (const std::string& line : lines_of(text))
    if (!line.starts_with("[doctest]") && !line.starts_with("=====")) names.push_back(line);
  return names;
}

std::vector<std::string> arguments_for(TestFramework framework, const std::string& test) {
  switch (framework) {
    case TestFramework::kGoogleTest:
      return {"--gtest_filter=" + test, "--gtest_break_on_failure", "--gtest_catch_exceptions=0",
              "--gtest_color=no",       "--gtest_print_time=0",     "--gtest_shuffle=0",
              "--gtest_repeat=1"};
    case TestFramework::kCatch2:
      return {escaped(test, ",[]*\\"), "--abort", "--rng-seed=1", "--use-colour=no"};
    case TestFramework::kDoctest:
      return {"--test-case=" + escaped(test, ",\\"), "--abort-after=1", "--rand-seed=1", "--no-colors=1"};
    case TestFramework::kNone:
      break;
  }
  return {};
}

bool says_it_is_skipped(const std::string& output) { return output.find("[  SKIPPED ]") != output.npos; }

void name_failed_expectations(TestFramework framework, explore::ExploreResult& result) {
  if (framework == TestFramework::kNone) return;
  for (explore::Finding& finding : result.findings) {
    trace::Failure& failure = finding.failure;
    if (framework != TestFramework::kGoogleTest && failure.kind == trace::FailureKind::kExitCode) {
      failure.kind = trace::FailureKind::kAssertion;
      failure.message = "the test failed: " + failure.message;
    } else if (framework == TestFramework::kGoogleTest && failure.kind == trace::FailureKind::kCrash &&
               failure.message.starts_with("trap")) {
      failure.kind = trace::FailureKind::kAssertion;
      failure.message.replace(0, 4, "a GoogleTest expectation failed");
    }
  }
}

}  // namespace heddle::supervisor
