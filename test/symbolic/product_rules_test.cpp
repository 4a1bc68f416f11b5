// Rules about products of variables, which bit-level solvers cannot prove at 32 bits.
//
// Addition, subtraction, negation and multiplication of bit vectors are those of the integers modulo 2^width: reducing
// is a ring homomorphism, so what holds for all integers holds in every width. A rule made of these operators alone is
// therefore proved for all widths at once by an identity of integers, which Z3 shows by its normal form of polynomials.
#include <gtest/gtest.h>
#include <z3++.h>

#include <string>

#include "symbolic/rules.h"

namespace heddle::symbolic {
namespace {

// False where the rule has another operator.
bool translate(z3::context& z, const Pattern& p, z3::expr& out) {
  if (p.leaf == Pattern::Leaf::kNumber) {
    out = z.int_val(p.number);
    return true;
  }
  if (p.leaf != Pattern::Leaf::kNone) {
    out = z.int_const(std::string(1, p.name).c_str());
    return true;
  }
  z3::expr a(z), b(z);
  if (p.operands.empty() || !translate(z, p.operands[0], a)) return false;
  if (p.operands.size() > 1 && !translate(z, p.operands[1], b)) return false;
  switch (p.kind) {
    case TermKind::kNeg:
      out = -a;
      return true;
    case TermKind::kAdd:
      out = a + b;
      return true;
    case TermKind::kSub:
      out = a - b;
      return true;
    case TermKind::kMul:
      out = a * b;
      return true;
    default:
      return false;
  }
}

z3::check_result counterexample(const std::string& left, const std::string& right) {
  z3::context z;
  z3::expr a(z), b(z);
  EXPECT_TRUE(translate(z, parse_pattern(left), a) && translate(z, parse_pattern(right), b)) << left << " -> " << right;
  z3::solver solver(z);
  solver.add(a != b);
  return solver.check();
}

TEST(ProductRules, HoldForAllIntegersHenceInEveryWidth) {
  int products = 0;
  for (const Rule& rule : simplification_rules()) {
    if (rule.match.find("(mul (") == rule.match.npos) continue;  // those that rules_test proves for small widths only
    ++products;
    EXPECT_EQ(counterexample(std::string(rule.match), std::string(rule.result)), z3::unsat) << rule.match;
  }
  EXPECT_GE(products, 1);
}

TEST(ProductRules, TheProofCanFail) { EXPECT_EQ(counterexample("(mul (neg ?x) #c)", "(mul ?x #c)"), z3::sat); }

}  // namespace
}  // namespace heddle::symbolic
