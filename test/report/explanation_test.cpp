#include "report/explanation.h"

#include <gtest/gtest.h>

#include "report/terminal.h"
#include "traces.h"

namespace heddle::report {
namespace {

explore::Finding explained_lost_update() {
  explore::Finding finding = lost_update();
  explore::Explanation& why = finding.explanation;
  why.minimized = true;
  why.found = {2, 4, 9};
  why.shown = {1, 3, 7};
  why.critical = 1;
  why.critical_certain = true;
  why.first = 1;
  why.second = 3;
  why.pattern = explore::Pattern::kLostUpdate;
  why.check = 0;
  why.act = 3;
  return finding;
}

TEST(Explanation, Sentences) {
  const Story story = tell(explained_lost_update(), Letters());
  EXPECT_EQ(story.decisive,
            "b reads `x` (dir/file.hed:2:1) before a writes it (dir/file.hed:4:1); in the other order the run succeeds");
  EXPECT_EQ(story.critical,
            "up to step 2 a good outcome could still be reached; after it (b reads `x`) every continuation fails");
  EXPECT_EQ(story.pattern,
            "lost update: a reads `x` (dir/file.hed:1:1), step 1, and writes it (dir/file.hed:4:1), step 4; b wrote in "
            "between and that is overwritten. Put both under one lock, or make them one atomic operation");
  EXPECT_EQ(story.minimized,
            "shortest way there: 1 pre-emption, 3 switches, 7 steps (found with 2 pre-emptions, 4 switches, 9 steps)");
}

TEST(Explanation, NothingIsClaimedWithoutOne) {
  EXPECT_TRUE(tell(lost_update(), Letters()).lines().empty());
  EXPECT_FALSE(marked_pair(lost_update()).decisive);
  EXPECT_TRUE(marked_pair(explained_lost_update()).decisive);
}

TEST(Explanation, UncertainThingsAreSaidToBe) {
  explore::Finding finding = explained_lost_update();
  finding.explanation.critical_certain = false;
  EXPECT_NE(tell(finding, Letters()).critical.find("no continuation we tried did"), std::string::npos);
  finding.explanation = {};
  finding.explanation.inevitable = true;
  finding.explanation.runs = 17;
  EXPECT_EQ(tell(finding, Letters()).decisive, "no schedule without this failure was found in 17 runs");
}

TEST(Explanation, MarksInTheTable) {
  const std::string text = terminal_report(result_with(explained_lost_update()), Letters(), {});
  EXPECT_NE(text.find("\n*>   2  "), std::string::npos) << text;
  EXPECT_NE(text.find("\n*    4  "), std::string::npos) << text;
  EXPECT_NE(text.find("* the decisive pair   > the critical step"), std::string::npos) << text;
}

TEST(Explanation, LocksAreBars) {
  const std::string text = terminal_report(
      result_with(TraceBuilder().step(0, OpKind::kAcquire, 0).step(1, OpKind::kAcquire, 1)
                      .blocked(0, OpKind::kAcquire, 1).blocked(1, OpKind::kAcquire, 0).deadlocks()),
      Letters(), {});
  EXPECT_NE(text.find("| lock x"), std::string::npos) << text;
  EXPECT_NE(text.find("  circle: a -> y -> b -> x -> a\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace heddle::report
