// Parts and wholes (symbolic/parts.cpp): every case in small widths, proved equal to the same term without
// simplification.
#include <gtest/gtest.h>

#include "symbolic/solver.h"
#include "symbolic/term.h"

namespace heddle::symbolic {
namespace {

using namespace std::chrono_literals;

// The words whose parts are taken, over inputs x and y of w bits.
std::vector<TermId> words(TermStore& s, unsigned w) {
  const TermId x = s.input(w, "x"), y = s.input(w, "y");
  return {x,
          s.make(TermKind::kConcat, x, y),
          s.extend(TermKind::kZext, x, w + 3),
          s.extend(TermKind::kSext, x, w + 3),
          s.make(TermKind::kNot, x),
          s.make(TermKind::kNeg, x),
          s.make(TermKind::kAnd, x, y),
          s.make(TermKind::kOr, x, y),
          s.make(TermKind::kXor, x, y),
          s.make(TermKind::kAdd, x, y),
          s.make(TermKind::kSub, x, y),
          s.make(TermKind::kMul, x, y),
          s.make(TermKind::kUdiv, x, y),
          s.make(TermKind::kLshr, x, y)};
}

// Two stores with the same inputs: the simplified term, written out, is built in the plain one and compared there.
TermId copy(TermStore& to, const TermStore& from, TermId id) {
  const Term& t = from[id];
  switch (t.kind) {
    case TermKind::kConst:
      return to.constant(t.width, t.value);
    case TermKind::kInput:
      return to.input(t.width, from.input_name(static_cast<std::size_t>(t.value)));
    case TermKind::kExtract:
      return to.extract(copy(to, from, t.a), t.low, t.width);
    case TermKind::kZext:
    case TermKind::kSext:
      return to.extend(t.kind, copy(to, from, t.a), t.width);
    default:
      return to.make(t.kind, copy(to, from, t.a), arity(t.kind) > 1 ? copy(to, from, t.b) : kNoTerm,
                     arity(t.kind) > 2 ? copy(to, from, t.c) : kNoTerm);
  }
}

void prove_equal(TermStore& plain, TermId expected, const TermStore& simplified, TermId actual) {
  const TermId differs = plain.negation(plain.make(TermKind::kEq, expected, copy(plain, simplified, actual)));
  const std::vector<TermId> conditions{differs};
  ASSERT_EQ(make_cadical_solver(plain)->solve(conditions, 5000ms).answer, Answer::kUnsat)
      << plain.to_text(expected) << " is not " << simplified.to_text(actual);
}

TEST(Parts, AreTheBitsOfTheWord) {
  for (unsigned w = 2; w <= 4; ++w) {
    TermStore simplified, plain(Simplify::kNo);
    const std::vector<TermId> ours = words(simplified, w), theirs = words(plain, w);
    for (std::size_t i = 0; i < ours.size(); ++i)
      for (unsigned low = 0; low < plain.width(theirs[i]); ++low)
        for (unsigned n = 1; low + n <= plain.width(theirs[i]); ++n)
          prove_equal(plain, plain.extract(theirs[i], low, n), simplified, simplified.extract(ours[i], low, n));
  }
}

TEST(Parts, MakeTheWordAgain) {
  for (unsigned w = 2; w <= 3; ++w) {
    TermStore simplified, plain(Simplify::kNo);
    const std::vector<TermId> ours = words(simplified, w), theirs = words(plain, w);
    for (std::size_t i = 0; i < ours.size(); ++i) {
      const unsigned all = plain.width(theirs[i]);
      for (unsigned from = 0; from + 1 < all; ++from)
        for (unsigned cut = from + 1; cut < all; ++cut)
          for (unsigned to = cut + 1; to <= all; ++to) {
            const auto whole = [&](TermStore& s, TermId t) {
              return s.make(TermKind::kConcat, s.extract(t, cut, to - cut), s.extract(t, from, cut - from));
            };
            prove_equal(plain, whole(plain, theirs[i]), simplified, whole(simplified, ours[i]));
          }
    }
  }
}

TEST(Parts, NarrowingUndoesWidening) {
  TermStore s;
  const TermId x = s.input(32, "x"), y = s.input(32, "y");
  EXPECT_EQ(s.extract(s.extend(TermKind::kSext, x, 64), 0, 32), x);
  const TermId wide = s.make(TermKind::kMul, s.extend(TermKind::kSext, x, 64), s.extend(TermKind::kSext, y, 64));
  EXPECT_EQ(s.extract(wide, 0, 32), s.make(TermKind::kMul, x, y));
}

TEST(Parts, BytesOfAWordAreTheWord) {
  TermStore s;
  const TermId x = s.input(32, "x");
  for (const TermId word : {x, s.extend(TermKind::kSext, x, 64), s.make(TermKind::kUdiv, x, s.constant(32, 3))}) {
    TermId all = s.extract(word, 0, 8);
    for (unsigned low = 8; low < s.width(word); low += 8) all = s.make(TermKind::kConcat, s.extract(word, low, 8), all);
    EXPECT_EQ(all, word) << s.to_text(all);
  }
}

}  // namespace
}  // namespace heddle::symbolic
