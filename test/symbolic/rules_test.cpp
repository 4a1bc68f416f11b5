// Every simplification rule is proved: both sides are built without simplification, and a solver is asked for inputs
// that tell them apart. There must be none, at several widths.
#include "symbolic/rules.h"

#include <gtest/gtest.h>

#include <array>
#include <set>

#include "symbolic/solver.h"

namespace heddle::symbolic {
namespace {

using namespace std::chrono_literals;

void collect(const Pattern& p, std::set<char>& names) {
  if (p.leaf == Pattern::Leaf::kAny || p.leaf == Pattern::Leaf::kConstant) names.insert(p.name);
  for (const Pattern& o : p.operands) collect(o, names);
}

bool mentions_extension(const Pattern& p) {
  bool found = p.leaf == Pattern::Leaf::kNone && (p.kind == TermKind::kZext || p.kind == TermKind::kSext);
  for (const Pattern& o : p.operands) found = found || mentions_extension(o);
  return found;
}

// The narrowest width at which a pattern's extensions really extend, above variables of width w.
TermId build(TermStore& store, const Pattern& p, unsigned root, const std::array<TermId, 128>& bound) {
  return RuleBook::instantiate(store, p, root, bound);
}

// Patterns with extensions inside comparisons or each other need widths that instantiate() takes from the outside.
TermId build_match(TermStore& store, const Pattern& p, unsigned root, unsigned inner,
                   const std::array<TermId, 128>& bound) {
  if (p.leaf == Pattern::Leaf::kNone && (p.kind == TermKind::kZext || p.kind == TermKind::kSext))
    return store.extend(p.kind, build_match(store, p.operands[0], inner, inner, bound), root);
  if (p.leaf == Pattern::Leaf::kNone && p.kind == TermKind::kEq && mentions_extension(p)) {
    const TermId a = build_match(store, p.operands[0], inner, inner, bound);
    return store.make(TermKind::kEq, a, build_match(store, p.operands[1], inner, inner, bound));
  }
  return build(store, p, root, bound);
}

// A variable that stands for a choice's condition is one bit wide.
bool is_condition(const Pattern& p, char name) {
  if (p.leaf == Pattern::Leaf::kNone && p.kind == TermKind::kIte) {
    std::set<char> names;
    collect(p.operands[0], names);
    return names.contains(name);
  }
  return false;
}

void prove(const Rule& rule, unsigned width) {
  SCOPED_TRACE(std::string(rule.match) + " -> " + std::string(rule.result) + " at " + std::to_string(width));
  TermStore store(Simplify::kNo);
  const Pattern match = parse_pattern(rule.match), result = parse_pattern(rule.result);
  std::set<char> names;
  collect(match, names);
  std::array<TermId, 128> bound{};
  for (const char n : names)
    bound[static_cast<std::size_t>(n)] = store.input(is_condition(match, n) ? 1 : width, std::string(1, n));
  const bool compares = match.kind >= TermKind::kEq && match.kind <= TermKind::kSle;
  const bool negates_comparison = match.kind == TermKind::kNot && match.operands[0].kind >= TermKind::kEq &&
                                  match.operands[0].kind <= TermKind::kSle;
  const bool extends = mentions_extension(match);
  const unsigned root = compares || negates_comparison ? 1 : extends ? width + 9 : width;
  const TermId a = build_match(store, match, root, width + (extends ? 4 : 0), bound);
  const TermId b = build_match(store, result, root, width, bound);
  ASSERT_EQ(store.width(a), store.width(b));
  const TermId differ = store.negation(store.make(TermKind::kEq, a, b));
  for (auto& solver : {make_z3_solver(store), make_cadical_solver(store)})
    EXPECT_EQ(solver->solve(std::vector<TermId>{differ}, 60s).answer, Answer::kUnsat);
}

class Rules : public testing::TestWithParam<std::size_t> {};

TEST_P(Rules, IsProved) {
  const Rule& rule = simplification_rules()[GetParam()];
  if (rule.single_bits) return prove(rule, 1);
  // Products of variables are hard at 32 bits for both; product_rules_test proves those for all widths by another road.
  const bool product = rule.match.find("(mul (") != rule.match.npos;
  for (const unsigned width : {1u, 2u, 5u, 8u, 32u, 64u})
    if (!product || width <= 5) prove(rule, width);
}

INSTANTIATE_TEST_SUITE_P(All, Rules, testing::Range(std::size_t{0}, simplification_rules().size()));

// The proof must be able to fail.
TEST(RuleProof, RefutesAWrongRule) {
  TermStore store(Simplify::kNo);
  std::array<TermId, 128> bound{};
  bound['x'] = store.input(8, "x");
  const TermId a = build(store, parse_pattern("(add ?x 1)"), 8, bound),
               b = build(store, parse_pattern("(or ?x 1)"), 8, bound);
  const TermId differ = store.negation(store.make(TermKind::kEq, a, b));
  for (auto& solver : {make_z3_solver(store), make_cadical_solver(store)})
    EXPECT_EQ(solver->solve(std::vector<TermId>{differ}, 60s).answer, Answer::kSat);
}

}  // namespace
}  // namespace heddle::symbolic
