// Questions to the solvers on the wire, and the mirror that answers them.
#include <gtest/gtest.h>

#include "base/random.h"
#include "native/supervisor/solver_service.h"

namespace heddle::protocol {

using supervisor::SolverMirror;

namespace {

using symbolic::Answer;
using symbolic::TermId;
using symbolic::TermKind;
using symbolic::TermStore;

// x > 10 and x * 3 = 36, of 32 bits.
struct Example {
  TermStore store;
  TermId x = store.input(32, "x");
  TermId large = store.make(TermKind::kUlt, store.constant(32, 10), x);
  TermId product = store.equals(store.make(TermKind::kMul, x, store.constant(32, 3)), 36);

  Question question(std::size_t from, std::vector<TermId> conditions) const {
    Question q;
    q.first_term = static_cast<std::uint32_t>(from);
    for (std::size_t i = from; i < store.size(); ++i) q.terms.push_back(store[TermId(static_cast<std::uint32_t>(i))]);
    q.conditions = std::move(conditions);
    return q;
  }
};

std::span<const std::uint8_t> payload_of(const std::vector<std::uint8_t>& frame) { return std::span(frame).subspan(4); }

TEST(SolverMessages, ComeBack) {
  const Example e;
  const auto frame = encode(e.question(1, {e.large, e.product}));
  auto question = decode_question(payload_of(frame));
  ASSERT_TRUE(question.ok()) << question.error().message;
  EXPECT_EQ(encode(*question), frame);
  symbolic::Solution solution{Answer::kSat, symbolic::SolvedBy::kZ3, 2.5, 1, {1, 2}, {TermId(3)}};
  const auto answer = encode(solution);
  auto decoded = decode_solution(payload_of(answer));
  ASSERT_TRUE(decoded.ok());
  EXPECT_EQ(encode(*decoded), answer);
}

TEST(SolverMessages, TheMirrorFollowsTermByTerm) {
  Example e;
  SolverMirror mirror;
  auto both = mirror.answer(e.question(1, {e.large, e.product}));
  ASSERT_TRUE(both.ok()) << both.error().message;
  ASSERT_EQ(both->answer, Answer::kSat);
  EXPECT_EQ(e.store.evaluate(e.product, both->inputs), 1u);
  const std::size_t known = e.store.size();
  const TermId small = e.store.negation(e.large);
  auto neither = mirror.answer(e.question(known, {e.large, small}));
  ASSERT_TRUE(neither.ok()) << neither.error().message;
  EXPECT_EQ(neither->answer, Answer::kUnsat);
}

TEST(SolverMessages, TheMirrorGoesBackWithTheWorker) {
  Example first, second;
  SolverMirror mirror;
  const std::size_t common = first.store.size();
  ASSERT_TRUE(mirror.answer(first.question(1, {first.large})).ok());
  const TermId one = first.store.equals(first.x, 1), two = second.store.equals(second.x, 2);
  ASSERT_TRUE(mirror.answer(first.question(common, {one})).ok());
  auto other = mirror.answer(second.question(common, {two}));  // the same numbers, other terms
  ASSERT_TRUE(other.ok()) << other.error().message;
  ASSERT_EQ(other->answer, Answer::kSat);
  EXPECT_EQ(other->inputs.at(0), 2u);
}

TEST(SolverMessages, WhatCannotBeIsAnError) {
  const Example e;
  SolverMirror mirror;
  EXPECT_FALSE(mirror.answer(e.question(3, {e.large})).ok());      // terms left out
  EXPECT_FALSE(SolverMirror().answer(e.question(1, {e.x})).ok());  // not a condition
  EXPECT_FALSE(SolverMirror().answer(e.question(1, {TermId(999)})).ok());
  const auto frame = encode(e.question(1, {e.large}));
  const auto payload = payload_of(frame);
  for (std::size_t n = 0; n < payload.size(); ++n) EXPECT_FALSE(decode_question(payload.first(n)).ok()) << n;
}

TEST(SolverMessages, DamagedBytesNeverCrash) {
  const Example e;
  const auto frame = encode(e.question(1, {e.large, e.product}));
  const auto answer = encode(symbolic::Solution{Answer::kSat, symbolic::SolvedBy::kZ3, 2.5, 1, {1, 2}, {TermId(3)}});
  Random random(1);
  for (int round = 0; round < 3000; ++round) {
    auto damaged = round % 2 ? frame : answer;
    for (int i = 0; i < 2; ++i)
      damaged[4 + random.below(damaged.size() - 4)] = static_cast<std::uint8_t>(random.next());
    static_cast<void>(decode_solution(payload_of(damaged)).ok());
    auto question = decode_question(payload_of(damaged));
    if (!question) continue;
    question->milliseconds = question->first_milliseconds = 20;
    static_cast<void>(SolverMirror().answer(*question).ok());
  }
}

}  // namespace
}  // namespace heddle::protocol
