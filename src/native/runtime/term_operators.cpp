#include "native/runtime/term_operators.h"

#include <algorithm>

#include "base/assert.h"

namespace heddle::runtime {

using protocol::SymbolicOp;

using symbolic::Term;
using symbolic::TermId;
using symbolic::TermKind;
using symbolic::TermStore;

namespace {

// In a width in which nothing overflows. 64 bits become 128, which is the most there is and enough.
TermId widened(TermStore& s, TermKind extension, SymbolicOp op, TermId a, TermId b) {
  const unsigned w = 2 * s.width(a);
  return apply_to_terms(s, op, s.extend(extension, a, w), s.extend(extension, b, w));
}

TermId overflows(TermStore& s, TermKind extension, SymbolicOp op, TermId a, TermId b) {
  const TermId exact = widened(s, extension, op, a, b);
  const TermId wrapped = s.extend(extension, apply_to_terms(s, op, a, b), s.width(exact));
  return s.negation(s.make(TermKind::kEq, exact, wrapped));
}

TermId bytes_swapped(TermStore& s, TermId a) {
  TermId all = s.extract(a, 0, 8);
  for (unsigned low = 8; low < s.width(a); low += 8) all = s.make(TermKind::kConcat, all, s.extract(a, low, 8));
  return all;
}

}  // namespace

TermId apply_to_terms(TermStore& s, SymbolicOp op, TermId a, TermId b) {
  const auto make = [&](TermKind kind) { return s.make(kind, a, b); };
  const auto smaller = [&](TermKind less, TermId x, TermId y) { return s.ite(s.make(less, x, y), a, b); };
  switch (op) {
    case SymbolicOp::kAdd:
      return make(TermKind::kAdd);
    case SymbolicOp::kSub:
      return make(TermKind::kSub);
    case SymbolicOp::kMul:
      return make(TermKind::kMul);
    case SymbolicOp::kUdiv:
      return make(TermKind::kUdiv);
    case SymbolicOp::kSdiv:
      return make(TermKind::kSdiv);
    case SymbolicOp::kUrem:
      return make(TermKind::kUrem);
    case SymbolicOp::kSrem:
      return make(TermKind::kSrem);
    case SymbolicOp::kShl:
      return make(TermKind::kShl);
    case SymbolicOp::kLshr:
      return make(TermKind::kLshr);
    case SymbolicOp::kAshr:
      return make(TermKind::kAshr);
    case SymbolicOp::kAnd:
      return make(TermKind::kAnd);
    case SymbolicOp::kOr:
      return make(TermKind::kOr);
    case SymbolicOp::kXor:
      return make(TermKind::kXor);
    case SymbolicOp::kEq:
      return make(TermKind::kEq);
    case SymbolicOp::kNe:
      return s.negation(make(TermKind::kEq));
    case SymbolicOp::kUlt:
      return make(TermKind::kUlt);
    case SymbolicOp::kUle:
      return make(TermKind::kUle);
    case SymbolicOp::kSlt:
      return make(TermKind::kSlt);
    case SymbolicOp::kSle:
      return make(TermKind::kSle);
    case SymbolicOp::kAddOverflowsSigned:
      return overflows(s, TermKind::kSext, SymbolicOp::kAdd, a, b);
    case SymbolicOp::kAddOverflowsUnsigned:
      return overflows(s, TermKind::kZext, SymbolicOp::kAdd, a, b);
    case SymbolicOp::kSubOverflowsSigned:
      return overflows(s, TermKind::kSext, SymbolicOp::kSub, a, b);
    case SymbolicOp::kSubOverflowsUnsigned:
      return make(TermKind::kUlt);
    case SymbolicOp::kMulOverflowsSigned:
      return overflows(s, TermKind::kSext, SymbolicOp::kMul, a, b);
    case SymbolicOp::kMulOverflowsUnsigned:
      return overflows(s, TermKind::kZext, SymbolicOp::kMul, a, b);
    case SymbolicOp::kUmin:
      return smaller(TermKind::kUlt, a, b);
    case SymbolicOp::kUmax:
      return smaller(TermKind::kUlt, b, a);
    case SymbolicOp::kSmin:
      return smaller(TermKind::kSlt, a, b);
    case SymbolicOp::kSmax:
      return smaller(TermKind::kSlt, b, a);
    case SymbolicOp::kUaddSat:
      return s.ite(overflows(s, TermKind::kZext, SymbolicOp::kAdd, a, b), s.constant(s.width(a), ~symbolic::Bits{0}),
                   make(TermKind::kAdd));
    case SymbolicOp::kUsubSat:
      return s.ite(make(TermKind::kUlt), s.constant(s.width(a), 0), make(TermKind::kSub));
    case SymbolicOp::kAbs:
      return s.ite(s.make(TermKind::kSlt, a, s.constant(s.width(a), 0)), s.make(TermKind::kNeg, a), a);
    case SymbolicOp::kByteSwap:
      return bytes_swapped(s, a);
    case SymbolicOp::kExchange:
      return b;
    case SymbolicOp::kNand:
      return s.make(TermKind::kNot, make(TermKind::kAnd));
    case SymbolicOp::kUnsupported:
      break;
  }
  REQUIRE(!"no operator on terms");
  return symbolic::kNoTerm;
}

TermId fits_signed(TermStore& s, SymbolicOp op, TermId a, TermId b) {
  return s.negation(overflows(s, TermKind::kSext, op, a, b));
}

unsigned trailing_zeros(const TermStore& s, TermId id) {
  const Term& t = s[id];
  const auto both = [&] { return std::min(trailing_zeros(s, t.a), trailing_zeros(s, t.b)); };
  switch (t.kind) {
    case TermKind::kConst: {
      unsigned n = 0;
      while (n < t.width && ((t.value >> n) & 1) == 0) ++n;
      return n;
    }
    case TermKind::kAdd:
    case TermKind::kSub:
    case TermKind::kOr:
    case TermKind::kXor:
      return both();
    case TermKind::kMul:
      return std::min<unsigned>(t.width, trailing_zeros(s, t.a) + trailing_zeros(s, t.b));
    case TermKind::kNeg:
      return trailing_zeros(s, t.a);
    case TermKind::kAnd:
      return std::max(trailing_zeros(s, t.a), trailing_zeros(s, t.b));
    case TermKind::kShl:
      if (s[t.b].kind != TermKind::kConst || s[t.b].value >= t.width) return trailing_zeros(s, t.a);
      return std::min<unsigned>(t.width, trailing_zeros(s, t.a) + static_cast<unsigned>(s[t.b].value));
    case TermKind::kZext:
    case TermKind::kSext:
      return trailing_zeros(s, t.a);
    case TermKind::kIte:
      return std::min(trailing_zeros(s, t.b), trailing_zeros(s, t.c));
    case TermKind::kConcat: {
      const unsigned low = trailing_zeros(s, t.b);
      return low < s.width(t.b) ? low : low + trailing_zeros(s, t.a);
    }
    case TermKind::kExtract:
      return t.low == 0 ? std::min<unsigned>(t.width, trailing_zeros(s, t.a)) : 0;
    default:
      return 0;
  }
}

}  // namespace heddle::runtime
