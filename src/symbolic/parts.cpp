// Parts of words and words of parts. Machine code takes values apart and puts them together all the time: an int is
// widened to an argument's 64 bits and narrowed again, a struct is copied byte by byte, a char is computed as an int.
// Which bits go where is a matter of positions, not of patterns, so this is code and not a rule of rules.h; a test has
// every case proved by a solver in all the small widths (test/symbolic/parts_test).
#include "base/assert.h"
#include "symbolic/term.h"

namespace heddle::symbolic {

// The bits low .. low + width - 1 of a, as something smaller than an extraction; kNoTerm if there is nothing.
TermId TermStore::smaller_part(TermId a, unsigned low, unsigned width) {
  const Term t = terms_[a.index()];  // a copy: new terms move the others
  switch (t.kind) {
    case TermKind::kExtract:
      return extract(t.a, t.low + low, width);
    case TermKind::kConcat: {
      const unsigned lower = this->width(t.b);
      if (low >= lower) return extract(t.a, low - lower, width);
      if (low + width <= lower) return extract(t.b, low, width);
      return kNoTerm;
    }
    case TermKind::kZext:
    case TermKind::kSext: {
      const unsigned own = this->width(t.a);
      if (low + width <= own) return extract(t.a, low, width);
      if (low == 0) return extend(t.kind, t.a, width);
      return t.kind == TermKind::kZext && low >= own ? constant(width, 0) : kNoTerm;
    }
    case TermKind::kNot:
      return make(t.kind, extract(t.a, low, width));
    case TermKind::kAnd:
    case TermKind::kOr:
    case TermKind::kXor:
      return make(t.kind, extract(t.a, low, width), extract(t.b, low, width));
    case TermKind::kNeg:
      return low == 0 ? make(t.kind, extract(t.a, 0, width)) : kNoTerm;
    case TermKind::kAdd:  // the lower bits of a sum or product depend on the lower bits only
    case TermKind::kSub:
    case TermKind::kMul:
      return low == 0 ? make(t.kind, extract(t.a, 0, width), extract(t.b, 0, width)) : kNoTerm;
    default:
      return kNoTerm;
  }
}

// `upper` above `lower`, as something smaller than a concatenation; kNoTerm if there is nothing.
TermId TermStore::smaller_whole(TermId upper, TermId lower) {
  const Term u = terms_[upper.index()], l = terms_[lower.index()];
  const unsigned both = u.width + l.width;
  if (u.kind == TermKind::kConst && u.value == 0) return extend(TermKind::kZext, lower, both);
  if (u.kind != TermKind::kExtract) return kNoTerm;
  if (l.kind == TermKind::kExtract && l.a == u.a && u.low == l.low + l.width) return extract(u.a, l.low, both);
  // The lowest part of an extension shows up as its operand, or as a shorter extension of it.
  const Term whole = terms_[u.a.index()];
  const bool extends = whole.kind == TermKind::kZext || whole.kind == TermKind::kSext;
  const bool lowest = lower == whole.a || (l.kind == whole.kind && l.a == whole.a);
  if (extends && lowest && u.low == l.width) return extract(u.a, 0, both);
  return kNoTerm;
}

}  // namespace heddle::symbolic
