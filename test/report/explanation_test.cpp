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
  EXPECT_EQ(
      story.decisive,
      "b reads `x` (dir/file.hed:2:1) before a writes it (dir/file.hed:4:1); in the other order the run succeeds");
  EXPECT_EQ(story.critical,
            "up to step 2 a good outcome could still be reached; after it (b reads `x`) every continuation fails");
  EXPECT_EQ(story.pattern,
            "lost update: a reads `x` (dir/file.hed:1:1), step 1, and writes it (dir/file.hed:4:1), step 4; b wrote in "
            "between and that is overwritten. Put both under one lock, or make them one atomic operation");
  EXPECT_EQ(story.minimized,
            "shortest way there: 1 pre-emption, 3 switches, 7 steps (found with 2 pre-emptions, 4 switches, 9 steps)");
}

// Step 1 is made in a function that the one of step 4 has called.
class Calls final : public Describer {
 public:
  std::string thread_name(ThreadId t) const override { return letters_.thread_name(t); }
  std::string object_name(ObjectId o) const override { return letters_.object_name(o); }
  std::string position(std::uint32_t where) const override { return letters_.position(where); }
  std::string source_line(std::uint32_t where) const override { return letters_.source_line(where); }
  std::vector<std::string> stack(std::uint32_t where) const override {
    if (where == 1) return {"get()  f:1:1", "take(int)  f:3:7", "run()  f:9:1"};
    if (where == 4) return {"take(int)  f:4:1", "run()  f:9:1"};
    return {"other()  f:2:1"};
  }

 private:
  Letters letters_;
};

TEST(Explanation, TheCallIsNamedWhereTheStepsPart) {
  explore::Finding finding = explained_lost_update();
  EXPECT_NE(tell(finding, Calls())
                .pattern.find("a reads `x` (dir/file.hed:1:1, called at f:3:7), step 1, and writes it "
                              "(dir/file.hed:4:1), step 4"),
            std::string::npos)
      << tell(finding, Calls()).pattern;
  // Nothing is said of calls in functions that have nothing to do with each other.
  finding.explanation.act = 1;
  EXPECT_EQ(tell(finding, Calls()).pattern.find("called at"), std::string::npos);
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
  finding = explained_lost_update();
  finding.failure.kind = trace::FailureKind::kDataRace;
  EXPECT_NE(tell(finding, Letters()).decisive.find("and nothing orders the two"), std::string::npos);
  finding.explanation.beside_unseen_code = true;
  EXPECT_NE(tell(finding, Letters()).decisive.find("and nothing that was looked at orders the two"), std::string::npos);
}

TEST(Explanation, MarksInTheTable) {
  const std::string text = terminal_report(result_with(explained_lost_update()), Letters(), {});
  EXPECT_NE(text.find("\n   (  1  "), std::string::npos) << text;
  EXPECT_NE(text.find("\n*>~   2  "), std::string::npos) << text;
  EXPECT_NE(text.find("\n*  )  4  "), std::string::npos) << text;
  EXPECT_NE(text.find("* the decisive pair   > the critical step   ~ pre-emption   ( ) to be made one\n"),
            std::string::npos)
      << text;
}

TEST(Explanation, TheTornLinesAreShownWithTheirFunction) {
  const Story story = tell(explained_lost_update(), Letters());
  ASSERT_EQ(story.torn.size(), 2u);
  EXPECT_EQ(story.torn[0].text, "line 1");
  EXPECT_EQ(story.torn[1].position, "dir/file.hed:4:1");
  const std::string text = terminal_report(result_with(explained_lost_update()), Letters(), {});
  EXPECT_NE(text.find("\n       a must not be interrupted between:\n         dir/file.hed:1:1  line 1\n"
                      "         dir/file.hed:4:1  line 4\n"),
            std::string::npos)
      << text;
  // The call that the first of them is in cannot be read ("f" is no file), so nothing is shown rather than half of it.
  EXPECT_TRUE(tell(explained_lost_update(), Calls()).torn.empty());
}

TEST(Explanation, ALockTakenTwiceIsSaidToBeLetGo) {
  explore::Finding finding = TraceBuilder()
                                 .step(0, OpKind::kAcquire, 0)
                                 .step(0, OpKind::kRelease, 0)
                                 .step(1, OpKind::kAcquire, 0)
                                 .step(1, OpKind::kRelease, 0)
                                 .step(0, OpKind::kAcquire, 0)
                                 .fails(0);
  finding.explanation.pattern = explore::Pattern::kCheckThenAct;
  finding.explanation.first = 2;
  finding.explanation.second = 4;
  finding.explanation.check = 0;
  finding.explanation.act = 4;
  EXPECT_EQ(
      tell(finding, Letters()).pattern,
      "check-then-act: a locks `x` (dir/file.hed:1:1), step 1, lets go of it and locks it again (dir/file.hed:5:1), "
      "step 5; b came in between, and what was found no longer held. Hold one lock from the first line to the last");
}

TEST(Explanation, LocksAreBars) {
  const std::string text = terminal_report(result_with(TraceBuilder()
                                                           .step(0, OpKind::kAcquire, 0)
                                                           .step(1, OpKind::kAcquire, 1)
                                                           .blocked(0, OpKind::kAcquire, 1)
                                                           .blocked(1, OpKind::kAcquire, 0)
                                                           .deadlocks()),
                                           Letters(), {});
  EXPECT_NE(text.find("| lock x"), std::string::npos) << text;
  EXPECT_NE(text.find("  circle: a -> y -> b -> x -> a\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace heddle::report
