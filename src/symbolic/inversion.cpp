#include "symbolic/inversion.h"

#include <algorithm>

#include "base/random.h"

namespace heddle::symbolic {
namespace {

constexpr int kCandidates = 64;  // per start; beyond, a solver is cheaper
constexpr int kRepairs = 8;      // conditions repaired one after the other, per start
constexpr int kRandomStarts = 3;
constexpr int kDepth = 64;

class Inverter {
 public:
  Inverter(TermStore& store, std::span<const TermId> conditions, const Assignment& hint)
      : store_(store), conditions_(conditions), current_(hint) {
    current_.resize(store.inputs(), 0);
    define_inputs();
  }

  std::optional<Assignment> run() {
    if (repair()) return current_;
    Random random(conditions_.size());
    for (int start = 0; start < kRandomStarts; ++start) {
      for (const TermId c : conditions_)
        for (const std::uint32_t i : store_.support(c)) current_[i] = random.next() & mask(i);
      candidates_ = 0;
      if (repair()) return current_;
    }
    return std::nullopt;
  }

 private:
  struct Definition {
    std::uint32_t input;
    TermId term;
  };

  std::uint64_t mask(std::uint32_t input) const {
    return static_cast<std::uint64_t>(mask_of(store_.width(store_.input_term(input))));
  }

  // Inputs that some condition says equal a term, such that none follows from itself.
  void define_inputs() {
    definition_of_.assign(store_.inputs(), kNoTerm);
    for (const TermId c : conditions_) {
      const Term& t = store_[c];
      if (t.kind == TermKind::kEq && !define(t.a, t.b)) define(t.b, t.a);
    }
    for (const TermId c : conditions_)
      for (const std::uint32_t i : store_.support(c)) put_in_order(i);
  }

  bool define(TermId input, TermId term) {
    if (store_[input].kind != TermKind::kInput) return false;
    const auto ordinal = static_cast<std::uint32_t>(store_[input].value);
    if (definition_of_[ordinal] != kNoTerm || follows_from(term, ordinal)) return false;
    definition_of_[ordinal] = term;
    return true;
  }

  bool follows_from(TermId term, std::uint32_t input) {
    const auto& support = store_.support(term);
    return std::any_of(support.begin(), support.end(), [&](std::uint32_t i) {
      return i == input || (definition_of_[i] != kNoTerm && follows_from(definition_of_[i], input));
    });
  }

  // What a definition needs stands before it.
  void put_in_order(std::uint32_t input) {
    const TermId term = definition_of_[input];
    if (term == kNoTerm) return;
    const auto known = [&](const Definition& d) { return d.input == input; };
    if (std::any_of(definitions_.begin(), definitions_.end(), known)) return;
    for (const std::uint32_t i : store_.support(term)) put_in_order(i);
    definitions_.push_back({input, term});
  }

  void inputs_changed() {
    for (const Definition& d : definitions_)
      current_[d.input] = static_cast<std::uint64_t>(store_.evaluate(d.term, current_));
    changed_ = true;
  }

  Bits value(TermId t) {
    if (!changed_) return store_.evaluate_also(t, current_);
    changed_ = false;
    return store_.evaluate(t, current_);
  }

  // The first condition that does not hold, and how many do not.
  TermId first_false(int& how_many) {
    TermId first = kNoTerm;
    how_many = 0;
    for (const TermId c : conditions_)
      if (value(c) == 0 && ++how_many == 1) first = c;
    return first;
  }

  bool repair() {
    inputs_changed();
    for (int round = 0; round < kRepairs; ++round) {
      int how_many = 0;
      target_ = first_false(how_many);
      if (target_ == kNoTerm) return true;
      next_.reset();
      if (want(target_, 1, kDepth)) return true;
      if (!next_) return false;
      current_ = *next_;
      changed_ = true;
    }
    return false;
  }

  // Tries the assignment in which `input` has this value. The best that satisfies the target is remembered.
  bool attempt(std::uint32_t input, Bits v) {
    if (++candidates_ > kCandidates) return false;
    const Assignment before = current_;
    current_[input] = static_cast<std::uint64_t>(v) & mask(input);
    inputs_changed();
    int how_many = 0;
    if (first_false(how_many) == kNoTerm) return true;
    if (value(target_) != 0 && (!next_ || how_many < still_false_)) {
      next_ = current_;
      still_false_ = how_many;
    }
    current_ = before;
    changed_ = true;
    return false;
  }

  // Makes t have the value v by changing one input below it.
  bool want(TermId id, Bits v, int depth) {
    const Term& t = store_[id];
    if (depth == 0 || candidates_ > kCandidates) return false;
    v &= mask_of(t.width);
    const auto below = [&](TermId operand, Bits wanted) { return want(operand, wanted, depth - 1); };
    switch (t.kind) {
      case TermKind::kConst:
        return false;
      case TermKind::kInput:
        return at_input(static_cast<std::uint32_t>(t.value), v, depth);
      case TermKind::kNot:
        return below(t.a, ~v);
      case TermKind::kNeg:
        return below(t.a, Bits{0} - v);
      case TermKind::kAdd:
        return below(t.a, v - value(t.b)) || below(t.b, v - value(t.a));
      case TermKind::kSub:
        return below(t.a, v + value(t.b)) || below(t.b, value(t.a) - v);
      case TermKind::kXor:
        return below(t.a, v ^ value(t.b)) || below(t.b, v ^ value(t.a));
      case TermKind::kMul:
        return factor(t, t.a, value(t.b), v, depth) || factor(t, t.b, value(t.a), v, depth);
      case TermKind::kZext:
        return v <= mask_of(store_.width(t.a)) && below(t.a, v);
      case TermKind::kSext:
        return store_.width(t.a) == t.width || below(t.a, v);
      case TermKind::kAnd:
      case TermKind::kOr:
        // The bits that the other operand does not decide.
        return below(t.a, v) || below(t.b, v);
      case TermKind::kSdiv:
      case TermKind::kUdiv:
        return below(t.a, v * value(t.b));
      case TermKind::kSrem:
      case TermKind::kUrem:
        return below(t.a, v);
      case TermKind::kShl:
        return value(t.b) < t.width && below(t.a, v >> static_cast<unsigned>(value(t.b)));
      case TermKind::kLshr:
      case TermKind::kAshr:
        return value(t.b) < t.width && below(t.a, v << static_cast<unsigned>(value(t.b)));
      case TermKind::kConcat:
        return below(t.a, v >> store_.width(t.b)) || below(t.b, v);
      case TermKind::kExtract: {
        const Bits old = value(t.a), hole = mask_of(t.width) << t.low;
        return below(t.a, (old & ~hole) | (v << t.low));
      }
      case TermKind::kIte:
        return below(value(t.a) != 0 ? t.b : t.c, v) || below(t.a, value(t.a) != 0 ? 0 : 1);
      case TermKind::kEq:
        return v != 0 ? below(t.a, value(t.b)) || below(t.b, value(t.a)) : differ(t, depth);
      case TermKind::kUlt:
        return v != 0 ? order(t, 1, 0, depth) : order(t, 0, 0, depth, true);
      case TermKind::kUle:
        return v != 0 ? order(t, 0, 0, depth) : order(t, 1, 0, depth, true);
      case TermKind::kSlt:
        return v != 0 ? order(t, 1, 1, depth) : order(t, 0, 1, depth, true);
      case TermKind::kSle:
        return v != 0 ? order(t, 0, 1, depth) : order(t, 1, 1, depth, true);
    }
    return false;
  }

  bool at_input(std::uint32_t input, Bits v, int depth) {
    const TermId definition = definition_of_[input];
    return definition == kNoTerm ? attempt(input, v) : want(definition, v, depth - 1);
  }

  // The neighbours, and something that nobody else is likely to have.
  bool differ(const Term& t, int depth) {
    for (const auto& [operand, other] : {std::pair{t.a, t.b}, std::pair{t.b, t.a}})
      for (const Bits gap : {Bits{1}, ~Bits{0}, Bits{mix(candidates_)}})
        if (want(operand, value(other) + gap, depth - 1)) return true;
    return false;
  }

  // a + gap <= b (or the other way round): next to the other side first, then the extreme value.
  bool order(const Term& t, unsigned gap, int is_signed, int depth, bool swapped = false) {
    const TermId small = swapped ? t.b : t.a, large = swapped ? t.a : t.b;
    const unsigned w = store_.width(t.a);
    const Bits sign = is_signed ? Bits{1} << (w - 1) : 0;
    const Bits lowest = sign, highest = mask_of(w) ^ sign;
    const auto below = [&](TermId operand, Bits wanted) { return want(operand, wanted, depth - 1); };
    return below(small, value(large) - gap) || below(large, value(small) + gap) || below(small, lowest) ||
           below(large, highest);
  }

  // x * by = v, modulo 2^width: odd parts have an inverse, powers of two must divide.
  bool factor(const Term& t, TermId x, Bits by, Bits v, int depth) {
    by &= mask_of(t.width);
    if (by == 0) return false;
    unsigned twos = 0;
    for (; (by & 1) == 0; by >>= 1) ++twos;
    if ((v & mask_of(twos)) != 0 && twos > 0) return false;
    Bits inverse = by;  // Newton: each step doubles the number of right bits
    for (int i = 0; i < 7; ++i) inverse *= 2 - by * inverse;
    const Bits solution = (v >> twos) * inverse;
    // With powers of two in it there are others, which the rest of the conditions may prefer.
    return want(x, solution, depth - 1) || (twos > 0 && want(x, solution + (Bits{1} << (t.width - twos)), depth - 1));
  }

  TermStore& store_;
  std::span<const TermId> conditions_;
  std::vector<TermId> definition_of_;  // by input; kNoTerm: it is free
  std::vector<Definition> definitions_;
  Assignment current_;
  bool changed_ = true;             // since it was last evaluated with
  TermId target_ = kNoTerm;         // the condition that is being repaired
  std::optional<Assignment> next_;  // satisfies it, and more than others do
  int still_false_ = 0;             // under next_
  std::uint64_t candidates_ = 0;
};

}  // namespace

std::optional<Assignment> invert(TermStore& store, std::span<const TermId> conditions, const Assignment& hint) {
  return Inverter(store, conditions, hint).run();
}

}  // namespace heddle::symbolic
