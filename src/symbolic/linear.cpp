#include "symbolic/linear.h"

#include <algorithm>
#include <map>
#include <optional>

namespace heddle::symbolic {
namespace {

constexpr int kDeepestSum = 32;  // of sums; what is below is an unknown

// constant + sum of coefficient * unknown, modulo 2^width.
struct Sum {
  unsigned width = 1;
  Bits constant = 0;
  std::map<TermId, Bits> coefficients;  // none is 0

  void add(const Sum& other, Bits factor) {
    const Bits mask = mask_of(width);
    constant = (constant + other.constant * factor) & mask;
    for (const auto& [unknown, coefficient] : other.coefficients) {
      Bits& mine = coefficients[unknown];
      mine = (mine + coefficient * factor) & mask;
      if (mine == 0) coefficients.erase(unknown);
    }
  }
  bool is_number() const { return coefficients.empty(); }
  bool is_unknown() const { return constant == 0 && coefficients.size() == 1 && coefficients.begin()->second == 1; }
};

Sum sum_of(const TermStore& store, TermId id, int depth = kDeepestSum) {
  const Term& t = store[id];
  Sum out{t.width, 0, {}};
  const auto below = [&](TermId operand, Bits factor) { out.add(sum_of(store, operand, depth - 1), factor); };
  const auto number = [&](TermId operand) { return store[operand].value; };
  if (t.kind == TermKind::kConst) {
    out.constant = t.value;
  } else if (depth > 0 && t.kind == TermKind::kAdd) {
    below(t.a, 1);
    below(t.b, 1);
  } else if (depth > 0 && t.kind == TermKind::kSub) {
    below(t.a, 1);
    below(t.b, ~Bits{0});
  } else if (depth > 0 && t.kind == TermKind::kNeg) {
    below(t.a, ~Bits{0});
  } else if (depth > 0 && t.kind == TermKind::kNot && t.width > 1) {  // -x - 1
    below(t.a, ~Bits{0});
    out.constant = (out.constant - 1) & mask_of(t.width);
  } else if (depth > 0 && t.kind == TermKind::kMul && store.is_constant(t.b)) {
    below(t.a, number(t.b));
  } else if (depth > 0 && t.kind == TermKind::kShl && store.is_constant(t.b) && number(t.b) < t.width) {
    below(t.a, Bits{1} << static_cast<unsigned>(number(t.b)));
  } else {
    out.coefficients[id] = 1;
  }
  return out;
}

// Of an odd number modulo 2^128, hence modulo every smaller power. Newton: each step doubles the number of right bits.
Bits inverse_of(Bits odd) {
  Bits inverse = odd;
  for (int i = 0; i < 7; ++i) inverse *= 2 - odd * inverse;
  return inverse;
}

struct Interval {
  Bits low, high;  // of signed ones the sign bit is flipped, so that unsigned comparison orders them
};

class System {
 public:
  System(const TermStore& store, std::span<const TermId> conditions) : store_(store), conditions_(conditions) {}

  bool contradictory() {
    for (const TermId c : conditions_)
      if (store_[c].kind == TermKind::kEq && !equate(difference(store_[c]))) return true;
    return !std::all_of(conditions_.begin(), conditions_.end(), [&](TermId c) {
      const bool negated = store_[c].kind == TermKind::kNot;
      const Term& t = store_[negated ? store_[c].a : c];
      switch (t.kind) {
        case TermKind::kEq:
          return !negated || differ(t);
        case TermKind::kUlt:
          return order(t, negated, {.strict = true, .is_signed = false});
        case TermKind::kUle:
          return order(t, negated, {.strict = false, .is_signed = false});
        case TermKind::kSlt:
          return order(t, negated, {.strict = true, .is_signed = true});
        case TermKind::kSle:
          return order(t, negated, {.strict = false, .is_signed = true});
        default:
          return true;  // no statement about sums
      }
    });
  }

 private:
  struct Order {
    bool strict, is_signed;
  };

  // Unknowns that rows have solved replaced by what they equal.
  void reduce(Sum& s) const {
    for (const auto& [pivot, row] : rows_)
      if (const auto place = s.coefficients.find(pivot); place != s.coefficients.end())
        s.add(row, Bits{0} - place->second);
  }

  Sum reduced(TermId t) const {
    Sum s = sum_of(store_, t);
    reduce(s);
    return s;
  }

  Sum difference(const Term& t) const {
    Sum s = reduced(t.a);
    s.add(reduced(t.b), ~Bits{0});
    return s;
  }

  // Takes in s = 0; false if that is impossible.
  bool equate(Sum s) {
    if (s.is_number()) return s.constant == 0;
    const auto odd =
        std::find_if(s.coefficients.begin(), s.coefficients.end(), [](const auto& c) { return (c.second & 1) != 0; });
    if (odd == s.coefficients.end()) return (s.constant & 1) == 0;
    const TermId pivot = odd->first;
    Sum row{s.width, 0, {}};
    row.add(s, inverse_of(odd->second));
    for (auto& [other, solved] : rows_)
      if (const auto place = solved.coefficients.find(pivot); place != solved.coefficients.end())
        solved.add(row, Bits{0} - place->second);
    rows_.emplace(pivot, std::move(row));
    return true;
  }

  bool differ(const Term& t) const {
    const Sum s = difference(t);
    return !s.is_number() || s.constant != 0;
  }

  bool order(const Term& t, bool negated, Order how) {
    // not (a < b) is b <= a.
    const Sum small = reduced(negated ? t.b : t.a), large = reduced(negated ? t.a : t.b);
    const Bits gap = how.strict != negated ? 1 : 0, top = mask_of(small.width);
    const Bits sign = how.is_signed ? Bits{1} << (small.width - 1) : 0;
    const auto number = [&](const Sum& s) { return s.constant ^ sign; };
    if (small.is_number() && large.is_number())
      return number(small) + gap <= number(large) || (gap != 0 && number(small) < number(large));
    if (small.is_number() && large.is_unknown()) {
      Interval& i = interval(large, how.is_signed);
      if (gap != 0 && number(small) == top) return false;
      i.low = std::max(i.low, number(small) + gap);
      return i.low <= i.high;
    }
    if (large.is_number() && small.is_unknown()) {
      Interval& i = interval(small, how.is_signed);
      if (gap != 0 && number(large) == 0) return false;
      i.high = std::min(i.high, number(large) - gap);
      return i.low <= i.high;
    }
    return true;
  }

  Interval& interval(const Sum& unknown, bool is_signed) {
    const TermId id = unknown.coefficients.begin()->first;
    return intervals_.try_emplace({id, is_signed}, Interval{0, mask_of(unknown.width)}).first->second;
  }

  const TermStore& store_;
  std::span<const TermId> conditions_;
  std::map<TermId, Sum> rows_;                             // by pivot: pivot + the rest = 0; no pivot in another row
  std::map<std::pair<TermId, bool>, Interval> intervals_;  // by unknown and signedness
};

}  // namespace

bool linearly_contradictory(const TermStore& store, std::span<const TermId> conditions) {
  return System(store, conditions).contradictory();
}

std::vector<TermId> linear_core(const TermStore& store, std::span<const TermId> conditions) {
  std::vector<TermId> core(conditions.begin(), conditions.end());
  for (std::size_t i = 0; i < core.size();) {
    std::vector<TermId> others = core;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    if (linearly_contradictory(store, others))
      core = std::move(others);
    else
      ++i;
  }
  return core;
}

}  // namespace heddle::symbolic
