#include "symbolic/rules.h"

#include <array>

#include "base/assert.h"

namespace heddle::symbolic {
namespace {

constexpr Rule kRules[] = {
    // Negation and complement.
    {"(not (not ?x))", "?x"},
    {"(neg (neg ?x))", "?x"},
    {"(not (ult ?x ?y))", "(ule ?y ?x)"},
    {"(not (ule ?x ?y))", "(ult ?y ?x)"},
    {"(not (slt ?x ?y))", "(sle ?y ?x)"},
    {"(not (sle ?x ?y))", "(slt ?y ?x)"},
    {"(neg (sub ?x ?y))", "(sub ?y ?x)"},
    // Bitwise.
    {"(and ?x 0)", "0"},
    {"(and ?x -1)", "?x"},
    {"(and ?x ?x)", "?x"},
    {"(and ?x (not ?x))", "0"},
    {"(and (not ?x) ?x)", "0"},
    {"(and (and ?x #c) #d)", "(and ?x (and #c #d))"},
    {"(or ?x 0)", "?x"},
    {"(or ?x -1)", "-1"},
    {"(or ?x ?x)", "?x"},
    {"(or ?x (not ?x))", "-1"},
    {"(or (not ?x) ?x)", "-1"},
    {"(or (or ?x #c) #d)", "(or ?x (or #c #d))"},
    {"(xor ?x 0)", "?x"},
    {"(xor ?x -1)", "(not ?x)"},
    {"(xor ?x ?x)", "0"},
    {"(xor (xor ?x #c) #d)", "(xor ?x (xor #c #d))"},
    // Sums: constants end up on the right of one addition.
    {"(add ?x 0)", "?x"},
    {"(add (add ?x #c) #d)", "(add ?x (add #c #d))"},
    {"(add (sub #c ?x) #d)", "(sub (add #c #d) ?x)"},
    {"(add (neg ?x) ?x)", "0"},
    {"(add ?x (neg ?x))", "0"},
    {"(add ?x (neg ?y))", "(sub ?x ?y)"},
    {"(add (sub ?x ?y) ?y)", "?x"},
    {"(add ?y (sub ?x ?y))", "?x"},
    {"(sub ?x ?x)", "0"},
    {"(sub 0 ?x)", "(neg ?x)"},
    {"(sub ?x #c)", "(add ?x (neg #c))"},
    {"(sub #d (add ?x #c))", "(sub (sub #d #c) ?x)"},
    {"(sub (add ?x ?y) ?x)", "?y"},
    {"(sub (add ?x ?y) ?y)", "?x"},
    {"(neg (add ?x #c))", "(sub (neg #c) ?x)"},
    // Products, quotients, shifts.
    {"(mul ?x 0)", "0"},
    {"(mul ?x 1)", "?x"},
    {"(mul ?x -1)", "(neg ?x)"},
    {"(mul (mul ?x #c) #d)", "(mul ?x (mul #c #d))"},
    {"(mul (neg ?x) #c)", "(mul ?x (neg #c))"},
    {"(udiv ?x 1)", "?x"},
    {"(sdiv ?x 1)", "?x"},
    {"(sdiv ?x -1)", "(neg ?x)"},
    {"(urem ?x 1)", "0"},
    {"(srem ?x 1)", "0"},
    {"(srem ?x -1)", "0"},
    {"(shl ?x 0)", "?x"},
    {"(lshr ?x 0)", "?x"},
    {"(ashr ?x 0)", "?x"},
    {"(shl 0 ?x)", "0"},
    {"(lshr 0 ?x)", "0"},
    {"(ashr 0 ?x)", "0"},
    {"(ashr -1 ?x)", "-1"},
    // Widening.
    {"(zext (zext ?x))", "(zext ?x)"},
    {"(sext (sext ?x))", "(sext ?x)"},
    {"(sext (zext ?x))", "(zext ?x)"},
    // Equality. A truth value that was widened and compared is the truth value again.
    {"(eq ?x ?x)", "1"},
    {"(eq ?x 1)", "?x", true},
    {"(eq ?x 0)", "(not ?x)", true},
    {"(eq (zext ?x) 0)", "(eq ?x 0)"},
    {"(eq (zext ?x) 1)", "(eq ?x 1)"},
    {"(eq (add ?x #c) #d)", "(eq ?x (sub #d #c))"},
    {"(eq (sub #c ?x) #d)", "(eq ?x (sub #c #d))"},
    {"(eq (neg ?x) #d)", "(eq ?x (neg #d))"},
    {"(eq (not ?x) #d)", "(eq ?x (not #d))"},
    {"(eq (xor ?x #c) #d)", "(eq ?x (xor #c #d))"},
    {"(eq (sub ?x ?y) 0)", "(eq ?x ?y)"},
    {"(eq (add ?x ?y) ?x)", "(eq ?y 0)"},
    {"(eq (add ?x ?y) ?y)", "(eq ?x 0)"},
    {"(eq ?x (add ?x ?y))", "(eq ?y 0)"},
    {"(eq ?y (add ?x ?y))", "(eq ?x 0)"},
    {"(eq (add ?x ?y) (add ?x ?z))", "(eq ?y ?z)"},
    // Order.
    {"(ult ?x ?x)", "0"},
    {"(ule ?x ?x)", "1"},
    {"(slt ?x ?x)", "0"},
    {"(sle ?x ?x)", "1"},
    {"(ult ?x 0)", "0"},
    {"(ule 0 ?x)", "1"},
    {"(ule ?x 0)", "(eq ?x 0)"},
    {"(ult ?x 1)", "(eq ?x 0)"},
    {"(ult 0 ?x)", "(not (eq ?x 0))"},
    {"(ule ?x -1)", "1"},
    {"(ult -1 ?x)", "0"},
    // Choice.
    {"(ite 1 ?x ?y)", "?x"},
    {"(ite 0 ?x ?y)", "?y"},
    {"(ite ?x ?y ?y)", "?y"},
    {"(ite (not ?x) ?y ?z)", "(ite ?x ?z ?y)"},
};

constexpr int kVariables = 128;  // by character

void skip_spaces(std::string_view& text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
}

TermKind kind_named(std::string_view name) {
  for (int k = 0; k < kTermKinds; ++k)
    if (name == name_of(static_cast<TermKind>(k))) return static_cast<TermKind>(k);
  REQUIRE(!"a rule names an operator that does not exist");
  return TermKind::kConst;
}

Pattern parse(std::string_view& text) {
  skip_spaces(text);
  Pattern p;
  if (text.front() == '(') {
    text.remove_prefix(1);
    const auto end = text.find(' ');
    p.kind = kind_named(text.substr(0, end));
    text.remove_prefix(end);
    for (skip_spaces(text); text.front() != ')'; skip_spaces(text)) p.operands.push_back(parse(text));
    text.remove_prefix(1);
    return p;
  }
  std::string_view word = text.substr(0, text.find_first_of(" )"));
  text.remove_prefix(word.size());
  if (word[0] == '?' || word[0] == '#') {
    p.leaf = word[0] == '?' ? Pattern::Leaf::kAny : Pattern::Leaf::kConstant;
    p.name = word[1];
  } else {
    p.leaf = Pattern::Leaf::kNumber;
    p.number = word == "-1" ? -1 : word == "1" ? 1 : 0;
  }
  return p;
}

using Bindings = std::array<TermId, kVariables>;

bool fits(const TermStore& store, const Pattern& p, TermId id, Bindings& bound) {
  const Term& t = store[id];
  switch (p.leaf) {
    case Pattern::Leaf::kNumber:
      return t.kind == TermKind::kConst && t.value == (static_cast<Bits>(p.number) & mask_of(t.width));
    case Pattern::Leaf::kConstant:
      if (t.kind != TermKind::kConst) return false;
      [[fallthrough]];
    case Pattern::Leaf::kAny: {
      TermId& variable = bound[static_cast<std::size_t>(p.name)];
      if (variable == kNoTerm) variable = id;
      return variable == id;
    }
    case Pattern::Leaf::kNone:
      break;
  }
  if (t.kind != p.kind) return false;
  const TermId operands[] = {t.a, t.b, t.c};
  for (std::size_t i = 0; i < p.operands.size(); ++i)
    if (!fits(store, p.operands[i], operands[i], bound)) return false;
  return true;
}

// The width of a side's operand where it is known without looking at its neighbours.
unsigned known_width(const TermStore& store, const Pattern& p, std::span<const TermId> bound) {
  if (p.leaf == Pattern::Leaf::kNumber) return 0;
  if (p.leaf != Pattern::Leaf::kNone) return store.width(bound[static_cast<std::size_t>(p.name)]);
  if (p.kind >= TermKind::kEq && p.kind <= TermKind::kSle) return 1;
  for (const Pattern& o : p.operands)
    if (const unsigned w = known_width(store, o, bound)) return w;
  return 0;
}

}  // namespace

std::span<const Rule> simplification_rules() { return kRules; }

Pattern parse_pattern(std::string_view text) { return parse(text); }

RuleBook::RuleBook(std::span<const Rule> rules) {
  for (const Rule& rule : rules) {
    Parsed parsed{parse_pattern(rule.match), parse_pattern(rule.result), rule.single_bits};
    by_kind_[static_cast<int>(parsed.match.kind)].push_back(std::move(parsed));
  }
}

const RuleBook& RuleBook::standard() {
  static const RuleBook book(kRules);
  return book;
}

TermId RuleBook::rewrite(TermStore& store, const Term& t) const {
  const TermId operands[] = {t.a, t.b, t.c};
  for (const Parsed& rule : by_kind_[static_cast<int>(t.kind)]) {
    if (rule.single_bits && store.width(t.a) != 1) continue;
    Bindings bound{};
    bool fit = true;
    for (std::size_t i = 0; fit && i < rule.match.operands.size(); ++i)
      fit = fits(store, rule.match.operands[i], operands[i], bound);
    if (fit) return instantiate(store, rule.result, t.width, bound);
  }
  return kNoTerm;
}

TermId RuleBook::instantiate(TermStore& store, const Pattern& p, unsigned width, std::span<const TermId> bound) {
  if (p.leaf == Pattern::Leaf::kNumber) return store.constant(width, static_cast<Bits>(p.number));
  if (p.leaf != Pattern::Leaf::kNone) return bound[static_cast<std::size_t>(p.name)];
  const bool compares = p.kind >= TermKind::kEq && p.kind <= TermKind::kSle;
  if (p.kind == TermKind::kZext || p.kind == TermKind::kSext)
    return store.extend(p.kind, instantiate(store, p.operands[0], known_width(store, p.operands[0], bound), bound),
                        width);
  unsigned operand_width = width;
  if (compares)
    for (const Pattern& o : p.operands)
      if (const unsigned w = known_width(store, o, bound)) operand_width = w;
  TermId built[3];
  for (std::size_t i = 0; i < p.operands.size(); ++i) {
    const bool condition = p.kind == TermKind::kIte && i == 0;
    built[i] = instantiate(store, p.operands[i], condition ? 1 : operand_width, bound);
  }
  return store.make(p.kind, built[0], built[1], built[2]);
}

}  // namespace heddle::symbolic
