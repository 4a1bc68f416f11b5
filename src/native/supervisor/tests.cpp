#include "native/supervisor/tests.h"

#include <sstream>

#include "native/supervisor/child_process.h"

namespace heddle::native {
namespace {

std::string without_comment(const std::string& line) {
  std::string text = line.substr(0, line.find('#'));
  while (!text.empty() && (text.back() == ' ' || text.back() == '\r')) text.pop_back();
  return text;
}

Result<std::vector<std::string>> google_tests(const std::string& executable) {
  auto listed = run_tool({{executable, "--gtest_list_tests", "--gtest_color=no"}, {}, false});
  if (!listed) return listed.error();
  if (listed->code != 0)
    return Error{"\"" + executable + "\" does not list its tests (exit code " + std::to_string(listed->code) +
                 " for --gtest_list_tests); run it by hand to see why"};
  return parse_google_test_list(listed->output);
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
  if (prepared->google_test) return google_tests(prepared->executable);
  if (!prepared->has_tests) return std::vector<std::string>();
  return list_tests(options);
}

std::vector<std::string> google_test_arguments(const std::string& test) {
  return {"--gtest_filter=" + test, "--gtest_break_on_failure", "--gtest_catch_exceptions=0",
          "--gtest_color=no",       "--gtest_print_time=0",     "--gtest_shuffle=0",
          "--gtest_repeat=1"};
}

void name_failed_expectations(explore::ExploreResult& result) {
  for (explore::Finding& finding : result.findings) {
    trace::Failure& failure = finding.failure;
    if (failure.kind != trace::FailureKind::kCrash || !failure.message.starts_with("trap")) continue;
    failure.kind = trace::FailureKind::kAssertion;
    failure.message.replace(0, 4, "a GoogleTest expectation failed");
  }
}

}  // namespace heddle::native
