// Boolean circuits with structural hashing, written out as clauses when a gate is first built.
//
// A literal is a non-zero number, its negation the negative; 1 is the constant true. Equal gates get equal literals, so
// a subterm that occurs in many constraints, or in two forms that come to the same gates, is in the solver once.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <unordered_map>

namespace heddle::symbolic {

using Literal = int;
inline constexpr Literal kTrue = 1;
inline constexpr Literal kFalse = -1;

class Gates {
 public:
  using AddClause = std::function<void(std::span<const Literal>)>;
  explicit Gates(AddClause add_clause);

  Literal fresh() { return ++variables_; }
  int variables() const { return variables_; }
  void clause(std::initializer_list<Literal> literals) { add_clause_({literals.begin(), literals.size()}); }

  Literal conjunction(Literal a, Literal b);
  Literal disjunction(Literal a, Literal b) { return -conjunction(-a, -b); }
  Literal exclusive(Literal a, Literal b);
  Literal choice(Literal condition, Literal yes, Literal no);
  Literal majority(Literal a, Literal b, Literal c);

 private:
  enum class Kind : std::uint8_t { kAnd, kXor, kIte, kMajority };
  struct Key {
    Kind kind;
    std::array<Literal, 3> operands;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& k) const;
  };

  AddClause add_clause_;
  int variables_ = 1;  // 1 is true
  std::unordered_map<Key, Literal, Hash> known_;
};

}  // namespace heddle::symbolic
