#include "symbolic/bit_blaster.h"

#include "base/assert.h"

namespace heddle::symbolic {

const BitBlaster::Word* BitBlaster::input_bits(TermId input) const {
  const auto place = words_.find(input.value);
  return place == words_.end() ? nullptr : &place->second;
}

// Operands have smaller numbers, so a stack of what is missing reaches the leaves without recursion.
const BitBlaster::Word& BitBlaster::blast(TermId root) {
  std::vector<TermId> stack{root};
  while (!stack.empty()) {
    const TermId id = stack.back();
    if (words_.contains(id.value)) {
      stack.pop_back();
      continue;
    }
    const Term& t = store_[id];
    const TermId operands[] = {t.a, t.b, t.c};
    bool ready = true;
    for (int i = 0; i < arity(t.kind); ++i)
      if (!words_.contains(operands[i].value)) {
        stack.push_back(operands[i]);
        ready = false;
      }
    if (!ready) continue;
    Word word = build(t);
    INVARIANT(word.size() == t.width);
    words_.emplace(id.value, std::move(word));
    stack.pop_back();
  }
  return words_.at(root.value);
}

BitBlaster::Word BitBlaster::build(const Term& t) {
  static const Word kNone;
  const auto operand = [&](TermId id, bool there) -> const Word& { return there ? words_.at(id.value) : kNone; };
  const int n = arity(t.kind);
  const Word& a = operand(t.a, n > 0);
  const Word& b = operand(t.b, n > 1);
  const Word& c = operand(t.c, n > 2);
  const auto bitwise = [&](auto gate) {
    Word out(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) out[i] = gate(a[i], b[i]);
    return out;
  };
  const auto signed_order = [&](Literal or_equal) {
    Word x = a, y = b;
    x.back() = -x.back();  // the sign bit counts the other way round
    y.back() = -y.back();
    return Word{less(x, y, or_equal)};
  };
  switch (t.kind) {
    case TermKind::kConst: {
      Word out(t.width);
      for (unsigned i = 0; i < t.width; ++i) out[i] = (t.value >> i) & 1 ? kTrue : kFalse;
      return out;
    }
    case TermKind::kInput: {
      Word out(t.width);
      for (Literal& l : out) l = gates_.fresh();
      return out;
    }
    case TermKind::kNot:
      return complement(a);
    case TermKind::kNeg:
      return negated(a);
    case TermKind::kAnd:
      return bitwise([&](Literal x, Literal y) { return gates_.conjunction(x, y); });
    case TermKind::kOr:
      return bitwise([&](Literal x, Literal y) { return gates_.disjunction(x, y); });
    case TermKind::kXor:
      return bitwise([&](Literal x, Literal y) { return gates_.exclusive(x, y); });
    case TermKind::kAdd:
      return sum(a, b, kFalse);
    case TermKind::kSub:
      return sum(a, complement(b), kTrue);
    case TermKind::kMul:
      return store_.is_constant(t.b) ? constant_product(a, store_[t.b].value) : product(a, b);
    case TermKind::kUdiv:
    case TermKind::kSdiv:
    case TermKind::kUrem:
    case TermKind::kSrem:
      return division(t, a, b);
    case TermKind::kShl:
    case TermKind::kLshr:
    case TermKind::kAshr:
      return shifted(a, b, t.kind);
    case TermKind::kConcat: {
      Word out = b;
      out.insert(out.end(), a.begin(), a.end());
      return out;
    }
    case TermKind::kExtract:
      return Word(a.begin() + t.low, a.begin() + t.low + t.width);
    case TermKind::kZext:
    case TermKind::kSext: {
      Word out = a;
      out.resize(t.width, t.kind == TermKind::kZext ? kFalse : a.back());
      return out;
    }
    case TermKind::kEq:
      return {equal(a, b)};
    case TermKind::kUlt:
      return {less(a, b, kFalse)};
    case TermKind::kUle:
      return {less(a, b, kTrue)};
    case TermKind::kSlt:
      return signed_order(kFalse);
    case TermKind::kSle:
      return signed_order(kTrue);
    case TermKind::kIte:
      return chosen(a[0], b, c);
  }
  return {};
}

BitBlaster::Word BitBlaster::sum(const Word& a, const Word& b, Literal carry) {
  Word out(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    out[i] = gates_.exclusive(gates_.exclusive(a[i], b[i]), carry);
    carry = gates_.majority(a[i], b[i], carry);
  }
  return out;
}

BitBlaster::Word BitBlaster::complement(Word a) {
  for (Literal& l : a) l = -l;
  return a;
}

BitBlaster::Word BitBlaster::negated(const Word& a) { return sum(complement(a), Word(a.size(), kFalse), kTrue); }

BitBlaster::Word BitBlaster::product(const Word& a, const Word& b) {
  const std::size_t w = a.size();
  Word total(w, kFalse);
  for (std::size_t row = 0; row < w; ++row) {
    Word shifted_row(w, kFalse);
    for (std::size_t i = row; i < w; ++i) shifted_row[i] = gates_.conjunction(a[i - row], b[row]);
    total = sum(total, shifted_row, kFalse);
  }
  return total;
}

// Non-adjacent form: digits -1, 0, 1, no two neighbours of which are both non-zero.
BitBlaster::Word BitBlaster::constant_product(const Word& a, Bits factor) {
  const std::size_t w = a.size();
  Word total(w, kFalse);
  for (std::size_t row = 0; row < w && factor != 0; ++row, factor >>= 1) {
    if ((factor & 1) == 0) continue;
    Word shifted_row(w, kFalse);
    for (std::size_t i = row; i < w; ++i) shifted_row[i] = a[i - row];
    if ((factor & 3) == 3) {
      total = sum(total, complement(shifted_row), kTrue);
      factor += 1;
    } else {
      total = sum(total, shifted_row, kFalse);
      factor -= 1;
    }
  }
  return total;
}

BitBlaster::Word BitBlaster::chosen(Literal condition, const Word& yes, const Word& no) {
  Word out(yes.size());
  for (std::size_t i = 0; i < yes.size(); ++i) out[i] = gates_.choice(condition, yes[i], no[i]);
  return out;
}

BitBlaster::Word BitBlaster::shifted(const Word& a, const Word& count, TermKind kind) {
  const std::size_t w = a.size();
  const Literal fill = kind == TermKind::kAshr ? a.back() : kFalse;
  Word out = a;
  Literal beyond = kFalse;  // the count is the width or more
  for (std::size_t bit = 0; bit < count.size(); ++bit) {
    const std::size_t distance = bit < 8 ? std::size_t{1} << bit : w;
    if (distance >= w) {
      beyond = gates_.disjunction(beyond, count[bit]);
      continue;
    }
    Word moved(w, fill);
    for (std::size_t i = 0; i < w; ++i) {
      if (kind == TermKind::kShl) {
        if (i >= distance) moved[i] = out[i - distance];
      } else if (i + distance < w) {
        moved[i] = out[i + distance];
      }
    }
    out = chosen(count[bit], moved, out);
  }
  return chosen(beyond, Word(w, fill), out);
}

BitBlaster::Word BitBlaster::division(const Term& t, const Word& a, const Word& b) {
  const bool is_signed = t.kind == TermKind::kSdiv || t.kind == TermKind::kSrem;
  if (!is_signed) {
    const Parts& parts = divided(t.a, t.b, false, a, b);
    return t.kind == TermKind::kUdiv ? parts.quotient : parts.remainder;
  }
  // By magnitudes; division by zero gives what SMT-LIB says because it does so for magnitudes.
  const Word x = chosen(a.back(), negated(a), a), y = chosen(b.back(), negated(b), b);
  const Parts& parts = divided(t.a, t.b, true, x, y);
  if (t.kind == TermKind::kSrem) return chosen(a.back(), negated(parts.remainder), parts.remainder);
  return chosen(gates_.exclusive(a.back(), b.back()), negated(parts.quotient), parts.quotient);
}

const BitBlaster::Parts& BitBlaster::divided(TermId a, TermId b, bool is_signed, const Word& x, const Word& y) {
  const std::uint64_t key = (std::uint64_t{a.value} << 33) | (std::uint64_t{b.value} << 1) | (is_signed ? 1 : 0);
  const auto [place, added] = divisions_.try_emplace(key);
  if (!added) return place->second;
  const std::size_t w = x.size();
  Parts& parts = place->second;
  for (std::size_t i = 0; i < w; ++i) {
    parts.quotient.push_back(gates_.fresh());
    parts.remainder.push_back(gates_.fresh());
  }
  const Literal zero = equal(y, Word(w, kFalse));
  // q*y + r = x in twice the width, so that nothing can wrap.
  Word q = parts.quotient, d = y, r = parts.remainder, wide = x;
  for (Word* word : {&q, &d, &r, &wide}) word->resize(2 * w, kFalse);
  bool constant = true;
  Bits divisor = 0;
  for (std::size_t i = 0; i < w; ++i) {
    constant = constant && (y[i] == kTrue || y[i] == kFalse);
    if (y[i] == kTrue) divisor |= Bits{1} << i;
  }
  const Word multiple = constant ? constant_product(q, divisor) : product(q, d);
  gates_.clause({zero, equal(sum(multiple, r, kFalse), wide)});
  gates_.clause({zero, less(parts.remainder, y, kFalse)});
  for (std::size_t i = 0; i < w; ++i) {
    gates_.clause({-zero, parts.quotient[i]});
    gates_.clause({-zero, -parts.remainder[i], x[i]});
    gates_.clause({-zero, parts.remainder[i], -x[i]});
  }
  return parts;
}

// From the least significant bit up: where the bits differ, b's decides.
Literal BitBlaster::less(const Word& a, const Word& b, Literal or_equal) {
  Literal out = or_equal;
  for (std::size_t i = 0; i < a.size(); ++i) out = gates_.majority(-a[i], b[i], out);
  return out;
}

Literal BitBlaster::equal(const Word& a, const Word& b) {
  Literal out = kTrue;
  for (std::size_t i = 0; i < a.size(); ++i) out = gates_.conjunction(out, -gates_.exclusive(a[i], b[i]));
  return out;
}

}  // namespace heddle::symbolic
