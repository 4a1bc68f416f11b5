#include "symbolic/gates.h"

#include <algorithm>
#include <cstdlib>

#include "base/random.h"

namespace heddle::symbolic {

std::size_t Gates::Hash::operator()(const Key& k) const {
  std::uint64_t h = static_cast<std::uint64_t>(k.kind);
  for (const Literal l : k.operands) h = combine(h, static_cast<std::uint64_t>(static_cast<std::int64_t>(l)));
  return h;
}

Gates::Gates(AddClause add_clause) : add_clause_(std::move(add_clause)) { clause({kTrue}); }

Literal Gates::conjunction(Literal a, Literal b) {
  if (a == kFalse || b == kFalse || a == -b) return kFalse;
  if (a == kTrue || a == b) return b;
  if (b == kTrue) return a;
  if (b < a) std::swap(a, b);
  const auto [place, added] = known_.try_emplace({Kind::kAnd, {a, b, 0}}, 0);
  if (!added) return place->second;
  const Literal out = place->second = fresh();
  clause({-out, a});
  clause({-out, b});
  clause({out, -a, -b});
  return out;
}

// Signs are pulled out: xor of literals is xor of variables, negated or not.
Literal Gates::exclusive(Literal a, Literal b) {
  const bool negated = (a < 0) != (b < 0);
  a = std::abs(a);
  b = std::abs(b);
  if (b < a) std::swap(a, b);
  Literal out = 0;
  if (a == b) {
    out = kFalse;
  } else if (a == kTrue) {
    out = -b;
  } else {
    const auto [place, added] = known_.try_emplace({Kind::kXor, {a, b, 0}}, 0);
    if (added) {
      out = place->second = fresh();
      clause({-out, a, b});
      clause({-out, -a, -b});
      clause({out, -a, b});
      clause({out, a, -b});
    }
    out = place->second;
  }
  return negated ? -out : out;
}

Literal Gates::choice(Literal condition, Literal yes, Literal no) {
  if (condition == kTrue || yes == no) return yes;
  if (condition == kFalse) return no;
  if (yes == kTrue || yes == condition) return disjunction(condition, no);
  if (yes == kFalse || yes == -condition) return conjunction(-condition, no);
  if (no == kTrue || no == -condition) return disjunction(-condition, yes);
  if (no == kFalse || no == condition) return conjunction(condition, yes);
  if (yes == -no) return exclusive(condition, no);
  if (condition < 0) {
    condition = -condition;
    std::swap(yes, no);
  }
  const auto [place, added] = known_.try_emplace({Kind::kIte, {condition, yes, no}}, 0);
  if (!added) return place->second;
  const Literal out = place->second = fresh();
  clause({-condition, -yes, out});
  clause({-condition, yes, -out});
  clause({condition, -no, out});
  clause({condition, no, -out});
  clause({-yes, -no, out});
  clause({yes, no, -out});
  return out;
}

Literal Gates::majority(Literal a, Literal b, Literal c) {
  std::array<Literal, 3> s{a, b, c};
  std::sort(s.begin(), s.end(), [](Literal x, Literal y) { return std::abs(x) < std::abs(y) || (x == -y && x < y); });
  if (s[0] == kTrue) return disjunction(s[1], s[2]);
  if (s[0] == kFalse) return conjunction(s[1], s[2]);
  if (s[0] == s[1] || s[1] == s[2]) return s[1];
  if (s[0] == -s[1]) return s[2];
  if (s[1] == -s[2]) return s[0];
  const auto [place, added] = known_.try_emplace({Kind::kMajority, s}, 0);
  if (!added) return place->second;
  const Literal out = place->second = fresh();
  clause({-s[0], -s[1], out});
  clause({-s[0], -s[2], out});
  clause({-s[1], -s[2], out});
  clause({s[0], s[1], -out});
  clause({s[0], s[2], -out});
  clause({s[1], s[2], -out});
  return out;
}

}  // namespace heddle::symbolic
