// Properties of small models, by hand: what is reachable, what is not, and that what is found is shown.
#include <gtest/gtest.h>

#include "check/state_oracle.h"
#include "explore/explain.h"
#include "explore/explorer.h"
#include "property/parser.h"
#include "property/watched_program.h"

namespace heddle::property {
namespace {

struct Answer {
  bool found = false;
  explore::ExploreResult result;
};

// By optimal-dpor; a finding is run through its state, minimised and explained.
Answer ask(const std::string& text, const Statement& statement, model::InputMode inputs = model::InputMode::kRandom) {
  model::ModelOptions options;
  options.inputs = inputs;
  auto model = model::load_model_text(text, "test.hed", {}, options);
  EXPECT_TRUE(model.ok()) << model.error().message;
  auto property = make_property(statement, *(*model)->property_names());
  EXPECT_TRUE(property.ok()) << property.error().message;
  WatchedProgram watched(**model, {*property}, Look::kClass,
                         {(*model)->inputs(), [&](const auto& found) { (*model)->inputs()->prefer(found); }});
  explore::ExploreOptions explore_options;
  if ((*model)->inputs() != nullptr) explore_options.strategy.feasibility = model->get();
  auto result = explore::explore(watched, explore_options);
  EXPECT_TRUE(result.ok());
  Answer answer{!result->findings.empty(), {}};
  EXPECT_EQ(watched.left_open(), "");
  EXPECT_TRUE(answer.found || result->exhausted());
  watched.set_look(Look::kReplay);
  explore::explain_findings(watched, *result, {.feasibility = model->get()});
  for (const explore::Finding& finding : result->findings) {
    if (!is_about_state(finding.failure.kind)) continue;
    EXPECT_TRUE(finding.failure.after.empty());
    EXPECT_TRUE(check::passes(finding.execution, *property)) << statement.text;
    EXPECT_LE(finding.schedule.size(), finding.execution.steps.size());
  }
  answer.result = std::move(*result);
  return answer;
}

bool reachable(const std::string& text, const std::string& condition,
               model::InputMode inputs = model::InputMode::kRandom) {
  return ask(text, {Kind::kReachable, condition, {}, 0}, inputs).found;
}

const std::string kTransfer = R"(
shared int from = 10, to = 0;
lock m;
thread mover {
  lock(m);
  int old = from;
  from = old - 1;
  to = to + 1;
  unlock(m);
}
thread other {
  lock(m);
  to = to + 5;
  unlock(m);
}
)";

TEST(States, a_state_between_two_writes_is_seen_though_nobody_looks) {
  EXPECT_TRUE(reachable(kTransfer, "from + to == 9"));
  EXPECT_FALSE(reachable(kTransfer, "from + to == 8"));
  EXPECT_FALSE(ask(kTransfer, {Kind::kAlways, "from + to == 10 || from + to == 15", "!locked(m)", 0}).found);
  EXPECT_TRUE(ask(kTransfer, {Kind::kAlways, "from + to == 10 || from + to == 15", "", 0}).found);
}

TEST(States, locks_threads_lines_and_ends) {
  EXPECT_TRUE(reachable(kTransfer, "held_by(m, mover) && in(other, 12)"));
  EXPECT_FALSE(reachable(kTransfer, "held_by(m, mover) && held_by(m, other)"));
  EXPECT_FALSE(reachable(kTransfer, "held_by(m, mover) && in(other, 13)"));
  EXPECT_TRUE(reachable(kTransfer, "ended(mover) && !ended(other)"));
  EXPECT_FALSE(reachable(kTransfer, "ended(mover) && from == 10"));
  EXPECT_FALSE(reachable(kTransfer, "deadlock"));
  EXPECT_TRUE(reachable(kTransfer, "ended(mover) && ended(other) && to == 6 && !locked(m)"));
}

// Two states of one class that no single execution passes both: x is written before y in one order, after it in the
// other.
TEST(States, one_execution_shows_all_states_of_its_class) {
  const std::string independent = "shared int x, y; thread a { x = 1; } thread b { y = 1; }";
  for (const char* condition : {"x == 1 && y == 0", "x == 0 && y == 1", "x == 0 && y == 0", "x == 1 && y == 1"}) {
    const Answer answer = ask(independent, {Kind::kNever, condition, {}, 0});
    EXPECT_TRUE(answer.found) << condition;
    EXPECT_EQ(answer.result.executions, 1u);
  }
  EXPECT_FALSE(reachable(independent, "x > 1 || y > 1"));
}

TEST(States, labels_name_statements) {
  const std::string model = R"(
shared int turn;
thread a { while (turn != 0) { } critical_a: { turn = 5; turn = 1; } }
thread b { while (turn != 1) { } critical_b: turn = 0; }
)";
  EXPECT_FALSE(reachable(model, "at(a, critical_a) && at(b, critical_b)"));
  EXPECT_TRUE(reachable(model, "at(a, critical_a) && turn == 5"));
  EXPECT_TRUE(reachable(model, "at(b, critical_b) && turn == 1"));
  EXPECT_FALSE(reachable(model, "at(b, critical_b) && turn == 5"));
}

TEST(States, spawned_threads_are_nowhere_before_they_begin) {
  const std::string model = R"(
shared int x;
func child() { x = 7; }
thread main { x = 1; int t = spawn child(); join t; x = 2; }
)";
  EXPECT_FALSE(reachable(model, "in(main/child#1, 3) && x == 0"));
  EXPECT_TRUE(reachable(model, "in(main/child#1, 3) && x == 1"));
  EXPECT_FALSE(reachable(model, "ended(main/child#1) && x == 1"));
  EXPECT_TRUE(reachable(model, "ended(main/child#1) && x == 7 && !ended(main)"));
}

TEST(States, a_deadlock_is_a_state) {
  const std::string model = R"(
lock a, b; shared int x;
thread one { lock(a); lock(b); x = 1; unlock(b); unlock(a); }
thread two { lock(b); lock(a); x = x + 2; unlock(a); unlock(b); }
)";
  EXPECT_TRUE(reachable(model, "deadlock"));
  EXPECT_TRUE(reachable(model, "deadlock && x == 0 && held_by(a, one)"));
  EXPECT_FALSE(ask(model, {Kind::kReachable, "deadlock && x > 0", {}, 0}).result.findings.front().failure.kind ==
               trace::FailureKind::kReachable);
}

// Kähkönen 2015 Fig. 6.1: neither X > 40 nor Y == 15 is what an input makes of it by itself.
TEST(States, inputs_stay_symbolic) {
  const std::string figure = R"(
shared int X, Y;
thread one { int a = input(); if (a > 10) X = a; }
thread two { int b = input(); if (b > 10) Y = b; }
)";
  EXPECT_TRUE(reachable(figure, "X > 40 && Y == 15", model::InputMode::kSymbolic));
  EXPECT_FALSE(reachable(figure, "X > 0 && X <= 10", model::InputMode::kSymbolic));
  EXPECT_FALSE(reachable(figure, "X > 0 && Y > 0 && X + Y < 22 && X + Y > 0", model::InputMode::kSymbolic));
  const Answer answer = ask(figure, {Kind::kReachable, "X - Y == 1234 && Y == 77", {}, 0}, model::InputMode::kSymbolic);
  ASSERT_TRUE(answer.found);
  EXPECT_EQ(answer.result.findings.front().execution.named_inputs.size(), 2u);
}

TEST(States, an_assumption_that_fails_makes_its_states_void) {
  const std::string model = R"(
shared int x;
thread one { x = 1; assume(0); }
)";
  EXPECT_FALSE(reachable(model, "x == 1"));
}

TEST(Models, invariants_and_labels_are_read) {
  auto model =
      model::load_model_text("shared int x; invariant x >= 0 && x < 2; thread t { again: x = 1; }", "m.hed", {});
  ASSERT_TRUE(model.ok());
  ASSERT_EQ((*model)->invariants().size(), 1u);
  EXPECT_EQ((*model)->invariants()[0].text, "x >= 0 && x < 2");
  auto twice = model::load_model_text("shared int x; thread t { a: x = 1; a: x = 2; }", "m.hed", {});
  ASSERT_FALSE(twice.ok());
  EXPECT_EQ(twice.error().message.substr(0, 38), "m.hed:1:36: the label 'a' is taken; la");
  EXPECT_FALSE(model::load_model_text("invariant ; thread t { }", "m.hed", {}).ok());
  EXPECT_FALSE(model::load_model_text("thread t { } invariant x > 1", "m.hed", {}).ok());
}

}  // namespace
}  // namespace heddle::property
