#include "report/terminal.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "traces.h"

namespace heddle::report {
namespace {

std::string report(const explore::Finding& f, TerminalOptions options = {}) {
  return terminal_report(result_with(f), Letters(), options);
}

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

TEST(Terminal, WholeReport) {
  EXPECT_EQ(report(lost_update()),
            "bug 1: assertion: assert(x == 2)\n"
            "  in thread c at dir/file.hed:99:1\n"
            "    line 99\n"
            "\n"
            "   step  line               a            b            c\n"
            "      1  dir/file.hed:1:1   read x = 0\n"
            "  ~   2  dir/file.hed:2:1                read x = 0\n"
            "*     3  dir/file.hed:3:1                write x = 1\n"
            "*     4  dir/file.hed:4:1   write x = 1\n"
            "      5  dir/file.hed:5:1                             join a\n"
            "      6  dir/file.hed:6:1                             join b\n"
            "      7  dir/file.hed:7:1                             read x = 1\n"
            "!        dir/file.hed:99:1                            ** assertion **\n"
            "  * the racing pair   ~ pre-emption\n"
            "\n"
            "verdict: bug (1 distinct finding), not exhausted\n"
            "optimal-dpor: 3 executions, 2 classes, 20 steps, 0.000 s\n");
}

TEST(Terminal, AVerdictSaysWhatItRestsOn) {
  explore::ExploreResult result;
  result.ended = true;
  result.assumptions.push_back({AssumptionKind::kSequentialConsistency, "sequential consistency", {31, 40, 31}});
  result.assumptions.push_back({AssumptionKind::kCodeNotSeen, "libz.so is as it should be", {}});
  const std::string text = terminal_report(result, Letters(), {});
  EXPECT_NE(text.find("\nassuming: sequential consistency (weaker orders at dir/file.hed:31, dir/file.hed:40)\n"
                      "assuming: libz.so is as it should be\n"),
            std::string::npos)
      << text;
}

TEST(Terminal, NoLineIsAPromise) {
  explore::ExploreResult result;
  result.ended = true;
  EXPECT_EQ(terminal_report(result, Letters(), {}).find("assuming"), std::string::npos);
}

TEST(Terminal, DeadlockRows) {
  const std::string text = report(TraceBuilder()
                                      .step(0, OpKind::kAcquire, 0)
                                      .step(1, OpKind::kAcquire, 1)
                                      .blocked(0, OpKind::kAcquire, 1)
                                      .blocked(1, OpKind::kAcquire, 0)
                                      .deadlocks());
  EXPECT_NE(text.find("bug 1: deadlock\n  a waits to lock y"), std::string::npos) << text;
  EXPECT_NE(text.find("waits: lock y"), std::string::npos) << text;
}

// The thread that nobody wakes has a row as well, and the bars go on to the end.
TEST(Terminal, WhoIsParkedHasARow) {
  const std::string text = report(TraceBuilder()
                                      .step(1, OpKind::kAcquire, 1)
                                      .step(0, OpKind::kWait, 0)
                                      .blocked(2, OpKind::kAcquire, 1)
                                      .deadlocks());
  EXPECT_NE(text.find("!        dir/file.hed:2:1   waits: signal of x  |\n"), std::string::npos) << text;
}

// A row that is cut off says nothing; blocked ones count as well.
TEST(Terminal, ColumnsAreAsWideAsTheirWords) {
  TraceBuilder builder;
  for (int t = 0; t < 4; ++t) builder.step(t, OpKind::kAcquire, t);
  for (int t = 0; t < 4; ++t) builder.blocked(t, OpKind::kAcquire, (t + 1) % 4);
  const explore::Finding finding = builder.deadlocks();
  for (std::size_t width : {60u, 80u, 100u, 120u}) {
    const std::string text = report(finding, {false, width});
    EXPECT_EQ(text.find(".."), std::string::npos) << text;
    EXPECT_NE(text.find(width < 100 ? "o | | | a: waits: lock y" : "| waits: lock y"), std::string::npos) << text;
  }
}

TEST(Terminal, AHeadSaysEverythingOnce) {
  explore::Finding finding = lost_update();
  finding.failure.message = "assertion x == 2 failed\n      f()  dir/file.hed:99:1";
  EXPECT_TRUE(report(finding).starts_with(
      "bug 1: assertion x == 2 failed\n  in thread c at dir/file.hed:99:1\n    line 99\n\n"))
      << report(finding);
  finding.failure.message += "\n      main  dir/file.hed:98:1";
  EXPECT_TRUE(
      report(finding).starts_with("bug 1: assertion x == 2 failed\n  in thread c in f() at dir/file.hed:99:1\n"
                                  "    line 99\n      main  dir/file.hed:98:1\n\n"))
      << report(finding);
}

TEST(Terminal, WhoWaitsIsWrapped) {
  const std::string text = report(TraceBuilder()
                                      .step(0, OpKind::kAcquire, 0)
                                      .step(1, OpKind::kAcquire, 1)
                                      .blocked(0, OpKind::kAcquire, 1)
                                      .blocked(1, OpKind::kAcquire, 0)
                                      .deadlocks(),
                                  {false, 40});
  EXPECT_NE(text.find("\n  a waits to lock y at\n    dir/file.hed:90:1, held by b since\n    dir/file.hed:2:1\n"),
            std::string::npos)
      << text;
}

TEST(Terminal, StepsAfterTheFailureAreFolded) {
  explore::Finding finding = lost_update();
  finding.failure = {FailureKind::kDataRace, 4, ThreadId(0), 4, "on x"};
  const std::string text = report(finding);
  EXPECT_NE(text.find("** data-race **\n    ...  3 steps folded (after the failure: c 3)\n"), std::string::npos)
      << text;
}

TEST(Terminal, ColourOnlyIfAsked) {
  EXPECT_EQ(report(lost_update()).find('\x1b'), std::string::npos);
  EXPECT_NE(report(lost_update(), {true, 100}).find("\x1b[1;31mbug 1"), std::string::npos);
}

TEST(Terminal, RowsFitEveryWidth) {
  for (std::size_t width : {40u, 60u, 80u, 120u}) {
    const std::string text = report(lost_update(), {false, width});
    const auto table = text.substr(text.find("  step"), text.find("verdict") - text.find("  step"));
    for (const std::string& line : lines(table)) EXPECT_LE(line.size(), width) << line;
  }
}

TEST(Terminal, ThreadsShareAColumnWhenThereAreTooMany) {
  TraceBuilder builder;
  for (int t = 0; t < 20; ++t) builder.step(t, OpKind::kWrite, 0, 0, 1);
  const std::string text = report(builder.fails(19));
  EXPECT_NE(text.find("thread: operation"), std::string::npos);
  EXPECT_NE(text.find("f: write x = 1"), std::string::npos) << text;
}

TEST(Terminal, LongTracesAreFoldedButKeepWhatMatters) {
  TraceBuilder builder;
  builder.step(0, OpKind::kWrite, 0, 0, 1);
  for (std::uint64_t i = 0; i < 500; ++i) builder.step(1, OpKind::kWrite, 1, 0, i);
  builder.step(1, OpKind::kRead, 0, 1, 1);
  for (std::uint64_t i = 0; i < 500; ++i) builder.step(1, OpKind::kWrite, 1, 0, i);
  const std::string text = report(builder.fails(1));
  const auto rows = lines(text);
  EXPECT_LT(rows.size(), 60u);
  EXPECT_EQ(std::count_if(rows.begin(), rows.end(), [](const std::string& r) { return r.starts_with("* "); }), 2);
  EXPECT_NE(text.find("steps folded (b "), std::string::npos);
  EXPECT_NE(text.find("** assertion **"), std::string::npos);
  std::size_t folded = 0, shown = 0;
  for (const std::string& r : rows) {
    if (const auto at = r.find(" steps folded"); at != r.npos) folded += std::stoul(r.substr(r.rfind(' ', at - 1)));
    shown += r.find("file.hed:") != r.npos && r.find("at dir") == r.npos && r[0] != '!';
  }
  EXPECT_EQ(folded + shown, 1002u);
}

TEST(Terminal, RepeatedStepsAreShownOnce) {
  TraceBuilder builder;
  builder.step(0, OpKind::kWrite, 0, 0, 1);
  for (int i = 0; i < 10; ++i) builder.step(1, OpKind::kWrite, 1, 0, 1);
  for (int i = 0; i < 3; ++i) builder.step(1, OpKind::kWrite, 1, 0, 2);
  const auto rows = lines(report(builder.fails(1)));
  const auto having = [&](const char* words) {
    return std::count_if(rows.begin(), rows.end(), [&](const std::string& r) { return r.ends_with(words); });
  };
  EXPECT_EQ(having("write y = 1"), 1);
  EXPECT_EQ(having(" 9 steps folded (the same again)"), 1);
  EXPECT_EQ(having("write y = 2"), 3);
}

TEST(Terminal, VerdictsInWords) {
  explore::ExploreResult r;
  r.algorithm = "dpor";
  r.ended = true;
  EXPECT_EQ(lines(terminal_report(r, Letters(), {}))[0],
            "verdict: no bug, exhausted: everything within the stated bounds was explored");
  r.ended = false;
  r.gaps = {{explore::Cause::kInterrupted}};
  EXPECT_EQ(lines(terminal_report(r, Letters(), {}))[0], "verdict: inconclusive, not exhausted: interrupted");
}

}  // namespace
}  // namespace heddle::report
