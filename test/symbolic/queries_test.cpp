// The shortcuts in front of the solvers: each answers what it should, and together they answer what Z3 answers.
#include "symbolic/queries.h"

#include <gtest/gtest.h>

#include "random_term.h"
#include "symbolic/inversion.h"

namespace heddle::symbolic {
namespace {

using namespace std::chrono_literals;

struct Fixture {
  TermStore store;
  Queries queries{store};
  TermId x = store.input(32, "x"), y = store.input(32, "y"), z = store.input(32, "z");
  Assignment out;

  TermId is(TermId t, Bits v) { return store.equals(t, v); }
  TermId less(TermId a, TermId b) { return store.make(TermKind::kSlt, a, b); }
  QueryCounts seen() const { return queries.counts(); }
};

TEST(Queries, TheHintAnswersWhatItSatisfies) {
  Fixture f;
  EXPECT_EQ(f.queries.ask({f.is(f.x, 4)}, {4, 0, 0}, f.out), Answer::kSat);
  EXPECT_EQ(f.seen().by_hint, 1u);
}

TEST(Queries, AConditionAndItsNegationContradict) {
  Fixture f;
  const TermId c = f.is(f.x, 4);
  EXPECT_EQ(f.queries.ask({c, f.store.negation(c)}, {}, f.out), Answer::kUnsat);
  EXPECT_EQ(f.seen().by_contradiction, 1u);
}

TEST(Queries, InversionRepairsOneInput) {
  Fixture f;
  const TermId sum = f.store.make(TermKind::kAdd, f.store.make(TermKind::kMul, f.x, f.store.constant(32, 3)), f.y);
  EXPECT_EQ(f.queries.ask({f.is(sum, 100)}, {0, 0, 0}, f.out), Answer::kSat);
  EXPECT_EQ(f.seen().by_inversion, 1u);
  EXPECT_EQ(static_cast<std::uint32_t>(3 * f.out[0] + f.out[1]), 100u);
}

TEST(Queries, InversionFollowsWhatAnInputEquals) {
  Fixture f;
  // x is y, and the product of both with z must be 6 while x is not 6: y and z change, x follows.
  const TermId same = f.store.make(TermKind::kEq, f.x, f.y);
  const TermId product = f.is(f.store.make(TermKind::kMul, f.x, f.z), 6);
  EXPECT_EQ(
      f.queries.ask({same, product, f.store.negation(f.is(f.y, 6)), f.store.negation(f.is(f.z, 6))}, {0, 0, 0}, f.out),
      Answer::kSat);
  EXPECT_EQ(f.seen().by_inversion, 1u);
  EXPECT_EQ(f.out[0], f.out[1]);
}

TEST(Queries, InversionKnowsZeroDivisors) {
  Fixture f;
  // Neither factor is zero, yet the product of 32 bits is.
  const TermId product = f.is(f.store.make(TermKind::kMul, f.x, f.y), 0);
  EXPECT_EQ(f.queries.ask({product, f.store.negation(f.is(f.x, 0)), f.store.negation(f.is(f.y, 0))}, {0, 0, 0}, f.out),
            Answer::kSat);
  EXPECT_EQ(f.seen().by_inversion, 1u);
}

TEST(Queries, LinearContradictionsNeedNoSolver) {
  Fixture f;
  const TermId a = f.store.make(TermKind::kEq, f.x, f.y), b = f.store.make(TermKind::kEq, f.y, f.z);
  const TermId c = f.store.negation(f.store.make(TermKind::kEq, f.x, f.z));
  EXPECT_EQ(f.queries.ask({a, b, c}, {0, 0, 0}, f.out), Answer::kUnsat);
  EXPECT_EQ(f.seen().by_linear, 1u);
}

TEST(Queries, AContradictionAnswersItsSupersets) {
  Fixture f;
  const TermId a = f.less(f.x, f.y), b = f.less(f.y, f.x), c = f.less(f.z, f.x);
  EXPECT_EQ(f.queries.ask({a, b}, {0, 0, 0}, f.out), Answer::kUnsat);
  EXPECT_EQ(f.seen().by_cadical, 1u);
  EXPECT_EQ(f.queries.ask({a, b, c}, {0, 0, 0}, f.out), Answer::kUnsat);
  EXPECT_EQ(f.seen().by_cache, 1u);
}

TEST(Queries, ASatisfiedSetAnswersItsSubsets) {
  Fixture f;
  // A product of two inputs and their sum: beyond inversion.
  const TermId product = f.is(f.store.make(TermKind::kMul, f.x, f.y), 77);
  const TermId sum = f.is(f.store.make(TermKind::kAdd, f.x, f.y), 18);
  EXPECT_EQ(f.queries.ask({product, sum}, {0, 0, 0}, f.out), Answer::kSat);
  const auto calls = f.seen().by_cadical + f.seen().by_z3;
  EXPECT_EQ(f.queries.ask({product}, {0, 0, 0}, f.out), Answer::kSat);
  EXPECT_EQ(f.seen().by_cadical + f.seen().by_z3, calls);
  EXPECT_EQ(f.seen().by_cache, 1u);
}

TEST(Queries, SlicingLeavesOtherInputsAlone) {
  Fixture f;
  const TermId far = f.is(f.z, 1234567);
  EXPECT_EQ(f.queries.ask({far, f.is(f.x, 9)}, {0, 5, 1234567}, f.out), Answer::kSat);
  EXPECT_EQ(f.out[0], 9u);
  EXPECT_EQ(f.out[1], 5u);
  EXPECT_EQ(f.out[2], 1234567u);
}

TEST(Queries, AnImpossibleTimeLimitIsUnknownAndCounted) {
  TermStore store;
  QueryOptions options;
  options.cadical_limit = options.z3_limit = 1ms;
  Queries queries(store, options);
  // The factors of a product of two 31-bit primes.
  const TermId p = store.input(32, "p"), q = store.input(32, "q");
  const TermId wide =
      store.make(TermKind::kMul, store.extend(TermKind::kZext, p, 64), store.extend(TermKind::kZext, q, 64));
  const TermId one = store.constant(32, 1);
  Assignment out;
  const Answer answer =
      queries.ask({store.equals(wide, Bits{2147483647} * 2147483629), store.make(TermKind::kUlt, one, p),
                   store.make(TermKind::kUlt, one, q), store.make(TermKind::kUlt, p, q)},
                  {}, out);
  EXPECT_EQ(answer, Answer::kUnknown);
  EXPECT_EQ(queries.counts().unknown, 1u);
}

// Chains of questions as an exploration asks them: the answers are Z3's, and every model is one.
TEST(Queries, AgreeWithZ3OnChains) {
  int sat = 0, unsat = 0;
  std::uint64_t without = 0, asked = 0;
  for (std::uint64_t seed = 0; seed < 25; ++seed) {
    TermStore store;
    Queries queries(store);
    Random random(seed);
    std::vector<TermId> path;
    Assignment hint;
    for (int i = 0; i < 12; ++i) {
      TermId c = random_condition(store, random, 6, 4);
      std::vector<TermId> query = path;
      query.push_back(c);
      Assignment out;
      const Answer answer = queries.ask(query, hint, out);
      ASSERT_EQ(answer, make_z3_solver(store)->solve(query, 20s).answer) << seed << "/" << i;
      if (answer == Answer::kSat) {
        ++sat;
        for (const TermId q : query) ASSERT_NE(static_cast<int>(store.evaluate(q, out)), 0);
        hint = out;
        path = query;
      } else {
        ++unsat;
        path.push_back(store.negation(c));
      }
    }
    without += queries.counts().without_solver();
    asked += queries.counts().asked;
  }
  EXPECT_GT(sat, 80);
  EXPECT_GT(unsat, 20);
  EXPECT_GT(without * 2, asked);
}

// Inversion only ever claims what holds.
TEST(Inversion, ResultsHold) {
  int found = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    TermStore store;
    Random random(seed);
    const std::vector<TermId> conditions{random_condition(store, random, 16, 5),
                                         random_condition(store, random, 16, 3)};
    if (const auto inputs = invert(store, conditions, {})) {
      ++found;
      for (const TermId c : conditions) ASSERT_NE(static_cast<int>(store.evaluate(c, *inputs)), 0);
    }
  }
  EXPECT_GT(found, 1000);
}

}  // namespace
}  // namespace heddle::symbolic
