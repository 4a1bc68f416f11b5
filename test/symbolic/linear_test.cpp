// The cheap pass for linear and single-variable conditions: finds what it should, and only what Z3 confirms.
#include "symbolic/linear.h"

#include <gtest/gtest.h>

#include "random_term.h"
#include "symbolic/solver.h"

namespace heddle::symbolic {
namespace {

using namespace std::chrono_literals;

struct Fixture {
  TermStore store;
  TermId x = store.input(32, "x"), y = store.input(32, "y"), z = store.input(32, "z");

  TermId number(Bits v) { return store.constant(32, v); }
  TermId plus(TermId a, TermId b) { return store.make(TermKind::kAdd, a, b); }
  TermId times(TermId a, TermId b) { return store.make(TermKind::kMul, a, b); }
  TermId equal(TermId a, TermId b) { return store.make(TermKind::kEq, a, b); }
  TermId differ(TermId a, TermId b) { return store.negation(equal(a, b)); }
  TermId less(TermId a, TermId b) { return store.make(TermKind::kSlt, a, b); }
  bool contradictory(const std::vector<TermId>& conditions) { return linearly_contradictory(store, conditions); }
};

TEST(Linear, EquationsAreEliminated) {
  Fixture f;
  EXPECT_TRUE(f.contradictory({f.equal(f.x, f.y), f.equal(f.y, f.z), f.differ(f.x, f.z)}));
  EXPECT_TRUE(f.contradictory({f.equal(f.x, f.y), f.equal(f.x, f.plus(f.y, f.z)), f.differ(f.z, f.number(0))}));
  EXPECT_FALSE(f.contradictory({f.equal(f.x, f.y), f.equal(f.y, f.z)}));
  EXPECT_FALSE(f.contradictory({f.equal(f.x, f.y), f.differ(f.x, f.z)}));
}

TEST(Linear, WhatIsNoSumIsAnUnknown) {
  Fixture f;
  const TermId product = f.times(f.x, f.y);
  EXPECT_TRUE(f.contradictory({f.equal(product, f.z), f.equal(product, f.plus(f.z, f.number(1)))}));
}

TEST(Linear, EvenIsNotOdd) {
  Fixture f;
  const TermId even = f.plus(f.times(f.x, f.number(6)), f.times(f.y, f.number(4)));
  EXPECT_TRUE(f.contradictory({f.equal(even, f.number(7))}));
  EXPECT_FALSE(f.contradictory({f.equal(even, f.number(8))}));
}

TEST(Linear, AnUnknownNeedsAValue) {
  Fixture f;
  EXPECT_TRUE(f.contradictory({f.less(f.x, f.number(5)), f.less(f.number(4), f.x)}));
  EXPECT_FALSE(f.contradictory({f.less(f.x, f.number(5)), f.less(f.number(3), f.x)}));
  EXPECT_TRUE(f.contradictory({f.equal(f.x, f.number(9)), f.less(f.x, f.number(9))}));
  EXPECT_TRUE(f.contradictory({f.equal(f.x, f.y), f.less(f.x, f.number(5)), f.less(f.number(9), f.y)}));
}

TEST(Linear, TheCoreIsMinimal) {
  Fixture f;
  const std::vector<TermId> all{f.less(f.z, f.number(3)), f.equal(f.x, f.y), f.less(f.y, f.z),
                                f.equal(f.y, f.number(2)), f.differ(f.x, f.number(2))};
  EXPECT_EQ(linear_core(f.store, all), (std::vector<TermId>{all[1], all[3], all[4]}));
}

// Sums of few unknowns with small coefficients, so that both answers are frequent.
TermId random_sum(TermStore& store, Random& random) {
  TermId sum = store.constant(8, random.below(4));
  for (const char* name : {"a", "b", "c"})
    sum = store.make(TermKind::kAdd, sum,
                     store.make(TermKind::kMul, store.input(8, name), store.constant(8, random.below(4))));
  return sum;
}

TEST(Linear, ContradictionsAreConfirmed) {
  int found = 0, missed = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    TermStore store;
    Random random(seed);
    std::vector<TermId> conditions;
    for (int i = 0; i < 4; ++i) {
      const TermKind kind = std::array{TermKind::kEq,  TermKind::kEq,  TermKind::kUlt,
                                       TermKind::kUle, TermKind::kSlt, TermKind::kSle}[random.below(6)];
      const TermId right = random.below(2) == 0 ? random_sum(store, random) : store.constant(8, random.below(256));
      TermId c = random.below(8) == 0 ? random_condition(store, random, 8, 3)
                                      : store.make(kind, random_sum(store, random), right);
      if (random.below(3) == 0) c = store.negation(c);
      if (!store.is_constant(c)) conditions.push_back(c);
    }
    const Answer truth = make_z3_solver(store)->solve(conditions, 5000ms).answer;
    if (linearly_contradictory(store, conditions)) {
      ++found;
      ASSERT_EQ(truth, Answer::kUnsat) << "seed " << seed;
      ASSERT_EQ(make_z3_solver(store)->solve(linear_core(store, conditions), 5000ms).answer, Answer::kUnsat);
    } else if (truth == Answer::kUnsat) {
      ++missed;
    }
  }
  EXPECT_GT(found, 20);
  RecordProperty("missed", missed);
}

}  // namespace
}  // namespace heddle::symbolic
