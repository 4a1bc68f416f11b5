#include "symbolic/inversion.h"

#include <bit>

namespace heddle::symbolic {
namespace {

constexpr int kCandidates = 48;   // per query; beyond, a solver is cheaper
constexpr int kDepth = 64;

class Inverter {
 public:
  Inverter(TermStore& store, std::span<const TermId> conditions, const Assignment& hint)
      : store_(store), conditions_(conditions), current_(hint) {
    current_.resize(store.inputs(), 0);
  }

  std::optional<Assignment> run() {
    // Repairing one condition may leave another one false, which is then repaired in turn.
    for (int round = 0; round < 4; ++round) {
      const TermId broken = first_false();
      if (broken == kNoTerm) return current_;
      target_ = broken;
      fallback_.reset();
      if (want(broken, 1, kDepth)) return current_;
      if (!fallback_) return std::nullopt;
      current_ = *fallback_;
    }
    return std::nullopt;
  }

 private:
  Bits value(TermId t) { return store_.evaluate(t, current_); }

  TermId first_false() {
    for (const TermId c : conditions_)
      if (value(c) == 0) return c;
    return kNoTerm;
  }

  // Tries the assignment in which `input` has this value. One that satisfies the target and no less is remembered.
  bool attempt(const Term& input, Bits v) {
    if (++candidates_ > kCandidates) return false;
    const auto ordinal = static_cast<std::size_t>(input.value);
    const std::uint64_t before = current_[ordinal];
    current_[ordinal] = static_cast<std::uint64_t>(v & mask_of(input.width));
    if (first_false() == kNoTerm) return true;
    if (!fallback_ && value(target_) != 0) fallback_ = current_;
    current_[ordinal] = before;
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
        return attempt(t, v);
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
        return v != 0 ? below(t.a, value(t.b)) || below(t.b, value(t.a))
                      : below(t.a, value(t.b) + 1) || below(t.b, value(t.a) + 1);
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
    Bits inverse = by;   // Newton: each step doubles the number of right bits
    for (int i = 0; i < 7; ++i) inverse *= 2 - by * inverse;
    return want(x, (v >> twos) * inverse, depth - 1);
  }

  TermStore& store_;
  std::span<const TermId> conditions_;
  Assignment current_;
  std::optional<Assignment> fallback_;
  TermId target_ = kNoTerm;
  int candidates_ = 0;
};

}  // namespace

std::optional<Assignment> invert(TermStore& store, std::span<const TermId> conditions, const Assignment& hint) {
  return Inverter(store, conditions, hint).run();
}

}  // namespace heddle::symbolic
