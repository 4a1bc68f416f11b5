// Simplification as data: a rule is a pattern and what to put in its place, in the notation of terms.
//
//   ?x ?y ?z   any term            #c #d   a constant            0 1 -1   that number in the width of its place
//
// A rule holds in every width unless it says that its variables are single bits. None of them has a side condition
// in code, so a test can hand both sides of each rule to a solver and have it proved (test/symbolic/rules_test).
//
// Rules are tried in order on a new term whose operands are simplified already and whose constant operands stand on
// the right; the first that fits decides. Results are built by the same road, so they are simplified too. Every rule
// makes the term smaller or moves a constant outwards, hence the rewriting ends.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "symbolic/term.h"

namespace heddle::symbolic {

struct Rule {
  std::string_view match;
  std::string_view result;
  bool single_bits = false;  // only where the operands of the pattern's root have width 1
};

std::span<const Rule> simplification_rules();

// A side of a rule, parsed.
struct Pattern {
  enum class Leaf : std::uint8_t { kNone, kAny, kConstant, kNumber };
  Leaf leaf = Leaf::kNone;
  char name = 0;   // kAny, kConstant
  int number = 0;  // kNumber: 0, 1 or -1
  TermKind kind = TermKind::kConst;
  std::vector<Pattern> operands;
};

Pattern parse_pattern(std::string_view text);

class RuleBook {
 public:
  explicit RuleBook(std::span<const Rule> rules);
  static const RuleBook& standard();

  // The term that replaces t, or kNoTerm if no rule fits.
  TermId rewrite(TermStore& store, const Term& t) const;

  // The side of a rule with the variables given by name ('x', 'c', ...) put in. `width` is the width of the whole.
  static TermId instantiate(TermStore& store, const Pattern& p, unsigned width, std::span<const TermId> by_name);

 private:
  struct Parsed {
    Pattern match;
    Pattern result;
    bool single_bits;
  };
  std::vector<Parsed> by_kind_[kTermKinds];
};

}  // namespace heddle::symbolic
