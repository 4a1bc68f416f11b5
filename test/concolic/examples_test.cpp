// The worked examples of Kähkönen 2015, with their numbers of paths, and what else the front end promises about inputs.
#include "symbolic_run.h"

#include "trace/input_names.h"

namespace heddle::concolic_test {
namespace {

using explore::Algorithm;
using explore::StrategyOptions;
using trace::FailureKind;

StrategyOptions with(Algorithm algorithm) {
  StrategyOptions o;
  o.algorithm = algorithm;
  return o;
}

TEST(Figure21, HasThreeReachableEnds) {
  // Each turn either fails or goes on: two failing paths and one to the end.
  const Explored r = run_text(R"(
    thread main { for (int i = 0; i < 2; i++) { int x = input(); x = x + 5; if (x == i) error("reached"); } })");
  EXPECT_EQ(r.result.classes, 3u);
  EXPECT_EQ(r.result.failed, 2u);
  EXPECT_TRUE(r.result.exhausted());
}

TEST(Figure23, TheErrorNeedsWrapAround) {
  const Explored r = run_text(R"(
    thread main { int x = input(); int y = input(); if (x > y) if (x * y == 1452) if (x / 2 == 5) error("reached"); })");
  EXPECT_EQ(r.result.classes, 4u);
  ASSERT_EQ(r.result.findings.size(), 1u);
  const auto inputs = trace::inputs_by_name(r.result.findings[0].execution, *r.program);
  EXPECT_EQ(inputs.at("input[main,1]"), 10);
  EXPECT_EQ(inputs.at("input[main,2]"), -858993314);
}

constexpr const char* kFigure24 = R"(
  shared int X = 0;
  thread one { int i = input(); i = i + 1; if (i == 5) X = 5; else int a = X; }
  thread two { int j = input(); int b = X; if (j > 10) b = 0; })";

// Eight paths over all interleavings; the two orders of the two reads are one class, so six classes.
TEST(Figure24, HasSixClasses) {
  for (const Algorithm a :
       {Algorithm::kOptimalDpor, Algorithm::kSourceDpor, Algorithm::kDporCr, Algorithm::kExhaustive})
    EXPECT_EQ(run_text(kFigure24, with(a)).result.classes, 6u);
  EXPECT_EQ(run_text(kFigure24).result.executions, 6u);
}

TEST(Figure312, FindsTheErrorThroughTheOtherThread) {
  const Explored r = run_text(R"(
    shared int X = 0;
    thread one { int a = X; if (a > 0) error("reached"); }
    thread two { int b = X; if (b == 0) X = input(); })");
  // Read before the write, or after it with either outcome of the branch.
  EXPECT_EQ(r.result.classes, 3u);
  EXPECT_EQ(r.result.findings.size(), 1u);
}

TEST(Figure56, CountsBranchesOfTheReader) {
  const Explored r = run_text(R"(
    shared int X = 0;
    thread one { X = 5; int a = X; }
    thread two { int b = input(); if (b == 0) int c = X; int d = X; })");
  // With the first read: the write before, between, or after both. Without: before or after.
  EXPECT_EQ(r.result.classes, 5u);
}

TEST(Conflicts, TwoThreadsLookAtOneInput) {
  // v < 2 and v > 5 exclude each other: three pairs of outcomes of four.
  const Explored r = run_text(R"(
    shared int x = 0;
    thread a { int v = input(); x = v; int l = 0; if (v < 2) l = 1; }
    thread b { int v = x; int l = 0; if (v > 5) l = 1; })");
  // b before a: v is 0, no branch: 2 paths of a. b after a: 3.
  EXPECT_EQ(r.result.classes, 5u);
  EXPECT_EQ(r.result.executions, 5u);
}

TEST(Checks, DivisionBoundsAndOverflow) {
  const Explored division = run_text("thread t { int a = 7 / input(); }");
  ASSERT_EQ(division.result.findings.size(), 1u);
  EXPECT_EQ(division.result.findings[0].failure.kind, FailureKind::kDivisionByZero);

  const char* const indexed = "shared int a[3]; thread t { a[input()] = 1; }";
  const Explored bounds = run_text(indexed);
  EXPECT_EQ(bounds.result.classes, 4u);  // three elements, and none of them
  ASSERT_EQ(bounds.result.findings.size(), 1u);
  EXPECT_EQ(bounds.result.findings[0].failure.kind, FailureKind::kIndexOutOfRange);
  model::ModelOptions options = symbolic_inputs();
  options.checks.bounds = false;
  EXPECT_EQ(run_text(indexed, {}, options).result.classes, 3u);

  const char* const sum = "thread t { int a = input() + 1; }";
  EXPECT_TRUE(run_text(sum).result.findings.empty());
  options.checks.overflow = true;
  const Explored overflow = run_text(sum, {}, options);
  ASSERT_EQ(overflow.result.findings.size(), 1u);
  EXPECT_EQ(overflow.result.findings[0].failure.kind, FailureKind::kOverflow);
  EXPECT_EQ(overflow.result.findings[0].execution.named_inputs[0].value, INT32_MAX);
}

TEST(Assumptions, RestrictTheInputs) {
  const Explored r = run_text(R"(
    thread t { int v = input(); assume(v > 3 && v < 6); if (v == 4) { } else if (v == 5) { } else error("no such"); })");
  EXPECT_EQ(r.result.classes, 2u);
  EXPECT_TRUE(r.result.findings.empty());
  EXPECT_TRUE(r.result.exhausted());
}

TEST(LeftOpen, AConcretisedValueIsAdmitted) {
  const Explored r = run_text("shared int x; thread t { int ok = cas(x, input(), 1); }");
  EXPECT_NE(r.program->left_open().find("test.hed:1"), std::string::npos) << r.program->left_open();
}

// Two threads take a value as it is where neither has branched yet. What the one is taken for says nothing of the
// other, which may not even be able to have that value: it was once, and the execution was then called infeasible.
TEST(LeftOpen, ValuesOfSeveralThreadsAreTakenEachForItself) {
  const Explored r = run_text(R"(
    shared int x; shared int y;
    thread a { int v = input() + 1; int ok = cas(x, v, 5); }
    thread b { int w = (input() & 4) | 8; int ok = cas(y, w, 5); })");
  EXPECT_EQ(r.result.classes, 1u);
  EXPECT_EQ(r.result.infeasible, 0u);
}

TEST(LeftOpen, AnUndecidedBranchIsAdmittedWithItsPlace) {
  model::ModelOptions options = symbolic_inputs();
  options.queries.cadical_limit = options.queries.z3_limit = std::chrono::milliseconds(1);
  const Explored r = run_text(R"(
    thread t {
      int p = input(); int q = input();
      int a = p * 73856093 ^ q * 19349663; int b = p * q; int i = 0;
      while (i < 6) { int c = a; a = (a ^ (b >> 5)) * (b | 1) + q; b = (b ^ (c << 3)) * (c | 1) + p; i = i + 1; }
      if (a == 1234567 && b == 7654321) error("found");
    })",
                              {}, options);
  EXPECT_NE(r.program->left_open().find("test.hed:6"), std::string::npos) << r.program->left_open();
}

// The inputs of an explored path lead along that path again.
TEST(Replay, GivenInputsFollowTheSchedule) {
  const auto source = kFigure24;
  std::vector<std::pair<std::vector<trace::Decision>, std::map<std::string, std::int64_t>>> paths;
  auto program = model::load_model_text(source, "test.hed", {}, symbolic_inputs());
  model::ModelProgram* const names = program->get();
  run(std::move(program), {}, [&](const trace::Execution& e) {
    std::vector<trace::Decision> steps;
    for (const trace::Step& s : e.steps) steps.push_back({s.thread, s.choice});
    paths.emplace_back(steps, trace::inputs_by_name(e, *names));
  });
  ASSERT_EQ(paths.size(), 6u);
  for (const auto& [steps, inputs] : paths) {
    model::ModelOptions options;
    options.inputs = model::InputMode::kGiven;
    options.given = inputs;
    auto again = model::load_model_text(source, "test.hed", {}, options);
    trace::Execution execution;
    explore::replay(**again, steps, execution);
    EXPECT_EQ(execution.diverged_at, kNoEvent);
    EXPECT_EQ(execution.steps.size(), steps.size());
  }
}

TEST(Coverage, CountsLinesAndBranches) {
  model::ModelOptions options = symbolic_inputs();
  options.coverage = true;
  const Explored r = run_text("thread t {\n  int x = input();\n  if (x > 3)\n    x = 1;\n}\n", {}, options);
  const trace::Coverage coverage = r.program->coverage();
  ASSERT_EQ(coverage.size(), 1u);
  EXPECT_EQ(coverage[0].path, "test.hed");
  EXPECT_GT(coverage[0].lines.at(4), 0u);
  ASSERT_EQ(coverage[0].branches.at(3).size(), 1u);
  EXPECT_EQ(coverage[0].branches.at(3)[0], (std::vector<std::uint64_t>{1, 1}));
}

TEST(BranchOrder, ChangesNothingButTheOrder) {
  for (const auto order : {model::BranchOrder::kRandom, model::BranchOrder::kNewCoverage}) {
    model::ModelOptions options = symbolic_inputs();
    options.branch_order = order;
    const Explored r = run_text(kFigure24, {}, options);
    EXPECT_EQ(r.result.classes, 6u);
    EXPECT_EQ(r.result.executions, 6u);
  }
}

}  // namespace
}  // namespace heddle::concolic_test
