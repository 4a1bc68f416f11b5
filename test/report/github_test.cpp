#include "report/github.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "traces.h"

namespace heddle::report {
namespace {

SavedSchedule origin() {
  SavedSchedule o;
  o.program = "dir/bank.hed";
  return o;
}

TEST(Github, AFindingIsAnErrorAtItsLine) {
  EXPECT_EQ(github_annotations(result_with(lost_update()), Letters(), origin()),
            "::error file=dir/file.hed,line=99,col=1,title=heddle%3A assertion in dir/bank.hed::assert(x == 2)\n");
}

TEST(Github, ADeadlockStandsWhereAThreadWaits) {
  explore::Finding finding = TraceBuilder()
                                 .step(0, OpKind::kAcquire, 0)
                                 .step(1, OpKind::kAcquire, 1)
                                 .blocked(0, OpKind::kAcquire, 1)
                                 .blocked(1, OpKind::kAcquire, 0)
                                 .deadlocks();
  const std::string text = github_annotations(result_with(finding), Letters(), origin());
  EXPECT_EQ(text.find("::error file=dir/file.hed,line=90,col=1,title="), 0u) << text;
  EXPECT_NE(text.find("::a waits to lock y"), text.npos) << text;
  EXPECT_EQ(text.find("a waits"), text.rfind("a waits")) << text;
}

TEST(Github, ALineOfTheCircleRatherThanAJoin) {
  explore::Finding finding =
      TraceBuilder().step(1, OpKind::kAcquire, 0).step(2, OpKind::kWait, 1).blocked(0, OpKind::kJoin, 0).deadlocks();
  finding.execution.pending[0].step.op = {.kind = OpKind::kJoin, .peer = ThreadId(1)};
  const std::string text = github_annotations(result_with(finding), Letters(), origin());
  EXPECT_EQ(text.find("::error file=dir/file.hed,line=2,col=1,title="), 0u) << text;
}

TEST(Github, TheCauseIsTold) {
  explore::Finding finding = lost_update();
  finding.explanation.first = 1;
  finding.explanation.second = 3;
  const std::string text = github_annotations(result_with(finding), Letters(), origin());
  EXPECT_NE(
      text.find("::assert(x == 2)%0Ab reads `x` (dir/file.hed:2:1) before a writes it (dir/file.hed:4:1); in the other "
                "order the run succeeds\n"),
      text.npos)
      << text;
}

TEST(Github, LinesCannotBeBrokenOut) {
  explore::Finding finding = lost_update();
  finding.failure.message = "100%\r\n::warning::no";
  const std::string text = github_annotations(result_with(finding), Letters(), origin());
  EXPECT_NE(text.find("::100%25%0D%0A::warning::no\n"), text.npos) << text;
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1);
}

TEST(Github, InconclusiveIsAWarningAndNoBugIsSilent) {
  explore::ExploreResult r;
  r.gaps = {{explore::Cause::kInterrupted}};
  EXPECT_EQ(github_annotations(r, Letters(), origin()),
            "::warning title=heddle%3A inconclusive%3A dir/bank.hed::interrupted\n");
  r.ended = true;
  r.gaps.clear();
  EXPECT_EQ(github_annotations(r, Letters(), origin()), "");
}

}  // namespace
}  // namespace heddle::report
