// Terms mean what the machine means: C's operators on fixed widths, against the compiler's arithmetic.
#include "symbolic/term.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "base/random.h"
#include "random_term.h"

namespace heddle::symbolic {
namespace {

TEST(Terms, EqualTermsAreOneTerm) {
  TermStore store;
  const TermId x = store.input(32, "x"), y = store.input(32, "y");
  EXPECT_EQ(store.make(TermKind::kAdd, x, y), store.make(TermKind::kAdd, y, x));
  EXPECT_EQ(store.input(32, "x"), x);
  EXPECT_NE(x, y);
  EXPECT_NE(store.make(TermKind::kSub, x, y), store.make(TermKind::kSub, y, x));
}

TEST(Terms, SupportListsTheInputs) {
  TermStore store;
  const TermId x = store.input(8, "x"), y = store.input(8, "y"), z = store.input(8, "z");
  const TermId t = store.make(TermKind::kMul, z, store.make(TermKind::kAdd, x, z));
  EXPECT_EQ(store.support(t), (std::vector<std::uint32_t>{0, 2}));
  EXPECT_EQ(store.support(y), (std::vector<std::uint32_t>{1}));
  EXPECT_TRUE(store.support(store.constant(8, 4)).empty());
}

// Every binary operator at one machine type.
template <class U, class S>
void compare_with_machine(std::uint64_t seed) {
  constexpr unsigned w = sizeof(U) * 8;
  Random random(seed);
  TermStore store;
  const TermId x = store.input(w, "x"), y = store.input(w, "y");
  const auto check = [&](TermKind kind, U a, U b, U expected) {
    const Assignment inputs{a, b};
    EXPECT_EQ(static_cast<U>(store.evaluate(store.make(kind, x, y), inputs)), expected)
        << name_of(kind) << " " << +a << " " << +b << " width " << w;
  };
  for (int i = 0; i < 3000; ++i) {
    const U corner[] = {0, 1, static_cast<U>(-1), static_cast<U>(U{1} << (w - 1)), static_cast<U>(random.next())};
    const U a = corner[random.below(5)], b = corner[random.below(5)];
    const S sa = static_cast<S>(a), sb = static_cast<S>(b);
    check(TermKind::kAdd, a, b, static_cast<U>(a + b));
    check(TermKind::kSub, a, b, static_cast<U>(a - b));
    check(TermKind::kMul, a, b, static_cast<U>(std::uint64_t{a} * std::uint64_t{b}));
    check(TermKind::kAnd, a, b, a & b);
    check(TermKind::kOr, a, b, a | b);
    check(TermKind::kXor, a, b, a ^ b);
    check(TermKind::kEq, a, b, a == b);
    check(TermKind::kUlt, a, b, a < b);
    check(TermKind::kUle, a, b, a <= b);
    check(TermKind::kSlt, a, b, sa < sb);
    check(TermKind::kSle, a, b, sa <= sb);
    if (b != 0) {
      check(TermKind::kUdiv, a, b, static_cast<U>(a / b));
      check(TermKind::kUrem, a, b, static_cast<U>(a % b));
      if (sb != -1) {
        check(TermKind::kSdiv, a, b, static_cast<U>(sa / sb));
        check(TermKind::kSrem, a, b, static_cast<U>(sa % sb));
      }
    }
    if (b < w) {
      check(TermKind::kShl, a, b, static_cast<U>(a << b));
      check(TermKind::kLshr, a, b, static_cast<U>(a >> b));
      check(TermKind::kAshr, a, b, static_cast<U>(sa >> b));
    }
  }
}

TEST(Terms, AgreeWithTheMachineAt8Bits) { compare_with_machine<std::uint8_t, std::int8_t>(1); }
TEST(Terms, AgreeWithTheMachineAt16Bits) { compare_with_machine<std::uint16_t, std::int16_t>(2); }
TEST(Terms, AgreeWithTheMachineAt32Bits) { compare_with_machine<std::uint32_t, std::int32_t>(3); }
TEST(Terms, AgreeWithTheMachineAt64Bits) { compare_with_machine<std::uint64_t, std::int64_t>(4); }

TEST(Terms, LowestDividedByMinusOneWraps) {
  TermStore store;
  const TermId x = store.input(32, "x"), y = store.input(32, "y");
  const Assignment inputs{0x80000000u, 0xffffffffu};
  EXPECT_EQ(static_cast<std::uint32_t>(store.evaluate(store.make(TermKind::kSdiv, x, y), inputs)), 0x80000000u);
  EXPECT_EQ(static_cast<std::uint32_t>(store.evaluate(store.make(TermKind::kSrem, x, y), inputs)), 0u);
}

TEST(Terms, ConcatAndExtractReach128Bits) {
  TermStore store;
  const TermId x = store.input(64, "x"), y = store.input(64, "y");
  const TermId both = store.make(TermKind::kConcat, x, y);
  EXPECT_EQ(store.width(both), 128u);
  const Assignment inputs{0x0123456789abcdefull, 0xfedcba9876543210ull};
  EXPECT_EQ(static_cast<std::uint64_t>(store.evaluate(store.extract(both, 32, 64), inputs)), 0x89abcdeffedcba98ull);
  EXPECT_EQ(static_cast<std::uint64_t>(store.evaluate(store.extract(both, 64, 64), inputs)), inputs[0]);
}

// The same random term built with and without simplification has the same values.
TEST(Terms, SimplificationKeepsValues) {
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    TermStore simple(Simplify::kYes), plain(Simplify::kNo);
    Random r1(seed), r2(seed), values(seed + 1);
    const unsigned width = 1 + static_cast<unsigned>(seed % 33);
    const TermId a = random_term(simple, r1, width, 12), b = random_term(plain, r2, width, 12);
    for (int i = 0; i < 10; ++i) {
      Assignment inputs;
      for (int k = 0; k < 40; ++k) inputs.push_back(values.below(3) == 0 ? values.below(4) : values.next());
      // Inputs are numbered in the order of first use, which is the same in both stores.
      ASSERT_EQ(simple.inputs(), plain.inputs());
      ASSERT_TRUE(simple.evaluate(a, inputs) == plain.evaluate(b, inputs)) << "seed " << seed << "\n"
                                                                           << simple.to_text(a) << "\n"
                                                                           << plain.to_text(b);
    }
  }
}

}  // namespace
}  // namespace heddle::symbolic
