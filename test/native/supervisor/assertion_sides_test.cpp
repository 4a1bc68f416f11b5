#include "native/supervisor/assertion_sides.h"

#include <gtest/gtest.h>

namespace heddle::supervisor {

using protocol::Compared;
using protocol::Relation;
namespace {

std::string sides(const std::string& condition, Compared compared) {
  return assertion_sides(compared, "assertion " + condition + " failed");
}
Compared equal(std::uint64_t left, std::uint64_t right) { return {left, right, 32, Relation::kEqual}; }
Compared with_constant(Compared compared) {
  compared.right_constant = true;
  return compared;
}

TEST(AssertionSides, BothAreTold) {
  EXPECT_EQ(sides("a == b", equal(3, 4)), "a is 3, b is 4");
  EXPECT_EQ(sides("f(a, b) == g[2]", equal(3, ~0u)), "f(a, b) is 3, g[2] is -1");
  EXPECT_EQ(sides("(account.balance == 200)", with_constant(equal(100, 200))), "account.balance is 100");
  EXPECT_EQ(sides("x <= y", {9, 8, 64, Relation::kLessOrEqual, protocol::SideKind::kUnsigned}), "x is 9, y is 8");
  EXPECT_EQ(sides("p->next != q", {0x100000000, 0x100000000, 64, Relation::kNotEqual, protocol::SideKind::kPointer}),
            "p->next is 0x100000000, q is 0x100000000");
}

TEST(AssertionSides, OfSeveralThatOfThisRelation) {
  EXPECT_EQ(sides("n > 0 && total == 10", with_constant(equal(5, 10))), "total is 5");
  EXPECT_EQ(sides("total == 10 && \"a sentence with == in it\"", with_constant(equal(5, 10))), "total is 5");
}

TEST(AssertionSides, NothingIsGuessed) {
  EXPECT_EQ(sides("a == 1 && b == 2", with_constant(equal(5, 1))), "");
  EXPECT_EQ(sides("a == 1 || b == 2", with_constant(equal(5, 1))), "");
  EXPECT_EQ(sides("ok(a == b)", equal(0, 0)), "");
  EXPECT_EQ(sides("ready", {0, 0, 8, Relation::kNotEqual}), "");
  EXPECT_EQ(sides("a == b", {}), "");
  EXPECT_EQ(assertion_sides(equal(1, 2), "a sentence of the program's own"), "");
}

}  // namespace
}  // namespace heddle::supervisor
