// Bit-blasting with CaDiCaL against Z3 on random conditions, and every model against evaluation.
#include "symbolic/solver.h"

#include <gtest/gtest.h>

#include "random_term.h"

namespace heddle::symbolic {
namespace {

using namespace std::chrono_literals;

class Solvers : public testing::TestWithParam<unsigned> {};

TEST_P(Solvers, AgreeOnRandomConditions) {
  const unsigned width = GetParam();
  int sat = 0, unsat = 0;
  for (std::uint64_t seed = 0; seed < 80; ++seed) {
    TermStore store(seed % 2 ? Simplify::kYes : Simplify::kNo);
    Random random(seed * 131 + width);
    std::vector<TermId> conditions;
    for (std::uint64_t i = 0, n = 1 + random.below(3); i < n; ++i)
      conditions.push_back(random_condition(store, random, width, 6));
    const Solution ours = make_cadical_solver(store)->solve(conditions, 20s);
    const Solution theirs = make_z3_solver(store)->solve(conditions, 20s);
    if (ours.answer == Answer::kUnknown || theirs.answer == Answer::kUnknown) continue;
    ASSERT_EQ(ours.answer, theirs.answer) << "seed " << seed << " " << store.to_text(conditions[0]);
    if (ours.answer == Answer::kUnsat) {
      ++unsat;
      ASSERT_FALSE(ours.core.empty());
      continue;
    }
    ++sat;
    for (const Solution* s : {&ours, &theirs})
      for (const TermId c : conditions)
        ASSERT_NE(static_cast<int>(store.evaluate(c, s->inputs)), 0) << "seed " << seed << " " << store.to_text(c);
  }
  EXPECT_GT(sat, 20);
  EXPECT_GT(unsat, 2);
}

INSTANTIATE_TEST_SUITE_P(Widths, Solvers, testing::Values(1u, 3u, 4u, 6u, 8u));

// One long-lived solver gives the answers of fresh ones.
TEST(Incremental, AnswersDoNotDependOnEarlierQuestions) {
  TermStore store;
  Random random(7);
  const auto kept = make_cadical_solver(store);
  for (int i = 0; i < 60; ++i) {
    const std::vector<TermId> conditions{random_condition(store, random, 6, 5), random_condition(store, random, 6, 5)};
    const Solution a = kept->solve(conditions, 20s), b = make_cadical_solver(store)->solve(conditions, 20s);
    ASSERT_EQ(a.answer, b.answer) << i;
    if (a.answer != Answer::kSat) continue;
    for (const TermId c : conditions) ASSERT_NE(static_cast<int>(store.evaluate(c, a.inputs)), 0) << i;
  }
}

// Kähkönen 2015 Example 2: x > y, x*y == 1452, x/2 == 5 has exactly one solution in signed 32-bit arithmetic, and none
// in unsigned.
std::vector<TermId> figure_2_3(TermStore& store, TermKind less, TermKind divide) {
  const TermId x = store.input(32, "x"), y = store.input(32, "y");
  return {store.make(less, y, x), store.equals(store.make(TermKind::kMul, x, y), 1452),
          store.equals(store.make(divide, x, store.constant(32, 2)), 5)};
}

TEST(WrapAround, Figure23HasOneSignedSolution) {
  for (const bool z3 : {false, true}) {
    TermStore store;
    auto conditions = figure_2_3(store, TermKind::kSlt, TermKind::kSdiv);
    const auto solver = z3 ? make_z3_solver(store) : make_cadical_solver(store);
    const Solution first = solver->solve(conditions, 60s);
    ASSERT_EQ(first.answer, Answer::kSat);
    EXPECT_EQ(static_cast<std::int32_t>(first.inputs[0]), 10);
    EXPECT_EQ(static_cast<std::int32_t>(first.inputs[1]), -858993314);
    conditions.push_back(store.negation(store.equals(store.input(32, "y"), first.inputs[1])));
    EXPECT_EQ(solver->solve(conditions, 60s).answer, Answer::kUnsat);
  }
}

TEST(WrapAround, Figure23HasNoUnsignedSolution) {
  TermStore store;
  const auto conditions = figure_2_3(store, TermKind::kUlt, TermKind::kUdiv);
  EXPECT_EQ(make_cadical_solver(store)->solve(conditions, 60s).answer, Answer::kUnsat);
}

}  // namespace
}  // namespace heddle::symbolic
