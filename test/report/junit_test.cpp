#include "report/junit.h"

#include <gtest/gtest.h>

#include "traces.h"

namespace heddle::report {
namespace {

SavedSchedule origin(const std::string& program = "dir/bank.hed") {
  SavedSchedule o;
  o.program = program;
  return o;
}

TEST(Junit, ABugIsAFailureWithTheTraceAsItsText) {
  const std::string text = junit_report(result_with(lost_update()), Letters(), origin());
  EXPECT_NE(text.find(R"(tests="1" failures="1" errors="0")"), text.npos);
  EXPECT_NE(text.find(R"(<testcase name="bank" classname="heddle")"), text.npos);
  EXPECT_NE(text.find(R"(<failure type="assertion" message="assertion: assert(x == 2) at dir/file.hed:99:1">)"),
            text.npos);
  EXPECT_NE(text.find("verdict: bug"), text.npos);
}

TEST(Junit, NoBugIsAnEmptyCase) {
  explore::ExploreResult r;
  r.ended = true;
  const std::string text = junit_report(r, Letters(), origin());
  EXPECT_NE(text.find(R"(failures="0" errors="0")"), text.npos);
  EXPECT_EQ(text.find("<failure"), text.npos);
  EXPECT_EQ(text.find("<error"), text.npos);
}

TEST(Junit, InconclusiveIsAnErrorWithItsReason) {
  explore::ExploreResult r;
  r.gaps = {{explore::Cause::kExecutionBudget, "100"}};
  const std::string text = junit_report(r, Letters(), origin());
  EXPECT_NE(text.find(R"(errors="1")"), text.npos);
  EXPECT_NE(text.find(R"(<error type="inconclusive" message="the budget of 100 executions is used up">)"), text.npos);
}

TEST(Junit, WhatXmlCannotHoldIsReplaced) {
  explore::Finding finding = lost_update();
  finding.failure.message = "a<b>&\"c\" \x01 \xff \xed\xa0\x80 \xc3\xbc \xe2\x82\xac\nstack";
  const std::string text = junit_report(result_with(finding), Letters(), origin("a&b.hed"));
  EXPECT_NE(text.find("a&lt;b&gt;&amp;&quot;c&quot; \uFFFD \uFFFD \uFFFD\uFFFD\uFFFD \u00fc \u20ac at"), text.npos)
      << text;
  EXPECT_NE(text.find("<testsuite name=\"a&amp;b.hed\""), text.npos);
}

}  // namespace
}  // namespace heddle::report
