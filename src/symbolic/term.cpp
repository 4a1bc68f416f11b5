#include "symbolic/term.h"

#include <algorithm>

#include "base/assert.h"
#include "base/random.h"
#include "symbolic/rules.h"

namespace heddle::symbolic {
namespace {

constexpr const char* kNames[kTermKinds] = {"const",   "input", "not",  "neg",  "and",  "or",  "xor",  "add",  "sub",
                                            "mul",     "udiv",  "sdiv", "urem", "srem", "shl", "lshr", "ashr", "concat",
                                            "extract", "zext",  "sext", "eq",   "ult",  "ule", "slt",  "sle",  "ite"};

using Signed = __int128;

Signed as_signed(Bits v, unsigned width) {
  const Bits sign = Bits{1} << (width - 1);
  return static_cast<Signed>((v ^ sign) - sign);
}

bool commutes(TermKind k) {
  return k == TermKind::kAnd || k == TermKind::kOr || k == TermKind::kXor || k == TermKind::kAdd ||
         k == TermKind::kMul || k == TermKind::kEq;
}

bool compares(TermKind k) { return k >= TermKind::kEq && k <= TermKind::kSle; }

Bits divide(TermKind kind, unsigned width, Bits a, Bits b) {
  if (kind == TermKind::kUdiv) return b == 0 ? mask_of(width) : a / b;
  if (kind == TermKind::kUrem) return b == 0 ? a : a % b;
  // By magnitudes, so that the lowest number divided by -1 wraps instead of overflowing.
  const bool minus_a = as_signed(a, width) < 0, minus_b = as_signed(b, width) < 0;
  const Bits x = minus_a ? (Bits{0} - a) & mask_of(width) : a;
  const Bits y = minus_b ? (Bits{0} - b) & mask_of(width) : b;
  if (kind == TermKind::kSdiv) {
    const Bits q = y == 0 ? mask_of(width) : x / y;
    return minus_a != minus_b ? Bits{0} - q : q;
  }
  const Bits r = y == 0 ? x : x % y;
  return minus_a ? Bits{0} - r : r;
}

Bits shift(TermKind kind, unsigned width, Bits a, Bits b) {
  const bool minus = kind == TermKind::kAshr && as_signed(a, width) < 0;
  if (b >= width) return minus ? ~Bits{0} : 0;
  const auto n = static_cast<unsigned>(b);
  if (kind == TermKind::kShl) return a << n;
  if (kind == TermKind::kLshr) return a >> n;
  return static_cast<Bits>(as_signed(a, width) >> n);
}

}  // namespace

const char* name_of(TermKind kind) { return kNames[static_cast<int>(kind)]; }

int arity(TermKind kind) {
  switch (kind) {
    case TermKind::kConst:
    case TermKind::kInput:
      return 0;
    case TermKind::kNot:
    case TermKind::kNeg:
    case TermKind::kExtract:
    case TermKind::kZext:
    case TermKind::kSext:
      return 1;
    case TermKind::kIte:
      return 3;
    default:
      return 2;
  }
}

Bits apply(const Term& t, unsigned operand_width, Bits a, Bits b, Bits c) {
  const unsigned w = operand_width;
  const auto signed_less = [&] { return as_signed(a, w) < as_signed(b, w); };
  Bits out = 0;
  switch (t.kind) {
    case TermKind::kConst:
    case TermKind::kInput:
      REQUIRE(!"a leaf has no operator");
      break;
    case TermKind::kNot:
      out = ~a;
      break;
    case TermKind::kNeg:
      out = Bits{0} - a;
      break;
    case TermKind::kAnd:
      out = a & b;
      break;
    case TermKind::kOr:
      out = a | b;
      break;
    case TermKind::kXor:
      out = a ^ b;
      break;
    case TermKind::kAdd:
      out = a + b;
      break;
    case TermKind::kSub:
      out = a - b;
      break;
    case TermKind::kMul:
      out = a * b;
      break;
    case TermKind::kUdiv:
    case TermKind::kSdiv:
    case TermKind::kUrem:
    case TermKind::kSrem:
      out = divide(t.kind, w, a, b);
      break;
    case TermKind::kShl:
    case TermKind::kLshr:
    case TermKind::kAshr:
      out = shift(t.kind, w, a, b);
      break;
    case TermKind::kConcat:
      out = (a << (t.width - w)) | b;
      break;
    case TermKind::kExtract:
      out = a >> t.low;
      break;
    case TermKind::kZext:
      out = a;
      break;
    case TermKind::kSext:
      out = static_cast<Bits>(as_signed(a, w));
      break;
    case TermKind::kEq:
      out = a == b;
      break;
    case TermKind::kUlt:
      out = a < b;
      break;
    case TermKind::kUle:
      out = a <= b;
      break;
    case TermKind::kSlt:
      out = signed_less();
      break;
    case TermKind::kSle:
      out = a == b || signed_less();
      break;
    case TermKind::kIte:
      out = a != 0 ? b : c;
      break;
  }
  return out & mask_of(t.width);
}

std::size_t TermStore::Hash::operator()(const Term& t) const {
  std::uint64_t h = (static_cast<std::uint64_t>(t.kind) << 32) | (std::uint64_t{t.width} << 16) | t.low;
  h = combine(h, (std::uint64_t{t.a.value} << 32) | t.b.value);
  h = combine(h, (std::uint64_t{t.c.value} << 32) ^ static_cast<std::uint64_t>(t.value));
  return combine(h, static_cast<std::uint64_t>(t.value >> 64));
}

TermStore::TermStore(Simplify simplify) : simplify_(simplify), terms_(1) {}  // 0 is kNoTerm

TermId TermStore::constant(unsigned width, Bits value) {
  REQUIRE(width >= 1 && width <= 128);
  Term t;
  t.width = static_cast<std::uint8_t>(width);
  t.value = value & mask_of(width);
  return intern(t);
}

TermId TermStore::input(unsigned width, const std::string& name) {
  REQUIRE(width >= 1 && width <= 64);
  const auto [place, added] = input_by_name_.try_emplace(name, kNoTerm);
  if (!added) {
    REQUIRE(this->width(place->second) == width);
    return place->second;
  }
  Term t;
  t.kind = TermKind::kInput;
  t.width = static_cast<std::uint8_t>(width);
  t.value = inputs_.size();
  place->second = intern(t);
  inputs_.push_back(place->second);
  input_names_.push_back(name);
  return place->second;
}

// Operands that are there, and widths that fit. (Of an input, its ordinal is not looked at.)
bool TermStore::is_sound(const Term& t) const {
  const int n = arity(t.kind);
  const TermId operands[] = {t.a, t.b, t.c};
  for (int i = 0; i < 3; ++i)
    if (i < n ? operands[i] == kNoTerm || operands[i].index() >= terms_.size() : operands[i] != kNoTerm) return false;
  if (t.width < 1 || t.width > 128) return false;
  const unsigned a = n > 0 ? width(t.a) : 0, b = n > 1 ? width(t.b) : 0;
  if (t.kind == TermKind::kInput) return t.width <= 64;
  if (t.kind == TermKind::kConst) return (t.value & ~mask_of(t.width)) == 0;
  if (t.kind == TermKind::kConcat) return t.width == a + b;
  if (t.kind == TermKind::kExtract) return t.low + t.width <= static_cast<int>(a);
  if (t.kind == TermKind::kZext || t.kind == TermKind::kSext) return t.width >= a;
  if (t.kind == TermKind::kIte) return a == 1 && b == t.width && width(t.c) == t.width;
  return (n == 1 || a == b) && t.width == (compares(t.kind) ? 1 : a);
}

bool TermStore::adopt(const Term& t, std::string name) {
  const bool is_input = t.kind == TermKind::kInput;
  if (!is_sound(t) || (is_input && t.value != inputs_.size()) || known_.contains(t)) return false;
  const TermId mine = intern(t);
  if (is_input) {
    inputs_.push_back(mine);
    input_names_.push_back(name.empty() ? "#" + std::to_string(inputs_.size()) : std::move(name));
    input_by_name_[input_names_.back()] = mine;
  }
  return true;
}

TermId TermStore::find_or_adopt(Term t, const std::string& name) {
  if (!is_sound(t)) return kNoTerm;
  if (t.kind != TermKind::kInput) return intern(t);
  const auto known = input_by_name_.find(name);
  if (name.empty() || (known != input_by_name_.end() && width(known->second) != t.width)) return kNoTerm;
  return input(t.width, name);
}

TermId TermStore::make(TermKind kind, TermId a, TermId b, TermId c) {
  Term t;
  t.kind = kind;
  t.a = a;
  t.b = b;
  t.c = c;
  if (kind == TermKind::kConcat) {
    REQUIRE(width(a) + width(b) <= 128);
    if (simplify_ == Simplify::kYes)
      if (const TermId whole = smaller_whole(a, b); whole != kNoTerm) return whole;
    t.width = static_cast<std::uint8_t>(width(a) + width(b));
  } else if (kind == TermKind::kIte) {
    REQUIRE(width(a) == 1 && width(b) == width(c));
    t.width = terms_[b.index()].width;
  } else {
    REQUIRE(arity(kind) == 1 || width(a) == width(b));
    t.width = compares(kind) ? 1 : terms_[a.index()].width;
  }
  return finish(t);
}

TermId TermStore::extract(TermId a, unsigned low, unsigned width) {
  REQUIRE(width >= 1 && low + width <= this->width(a));
  if (width == this->width(a)) return a;
  if (simplify_ == Simplify::kYes)
    if (const TermId part = smaller_part(a, low, width); part != kNoTerm) return part;
  Term t;
  t.kind = TermKind::kExtract;
  t.a = a;
  t.low = static_cast<std::uint8_t>(low);
  t.width = static_cast<std::uint8_t>(width);
  return finish(t);
}

TermId TermStore::extend(TermKind kind, TermId a, unsigned width) {
  REQUIRE(kind == TermKind::kZext || kind == TermKind::kSext);
  REQUIRE(width >= this->width(a) && width <= 128);
  if (width == this->width(a)) return a;
  Term t;
  t.kind = kind;
  t.a = a;
  t.width = static_cast<std::uint8_t>(width);
  return finish(t);
}

TermId TermStore::negation(TermId condition) {
  REQUIRE(width(condition) == 1);
  return make(TermKind::kNot, condition);
}

TermId TermStore::nonzero(TermId a) {
  const Term& t = terms_[a.index()];
  if (t.width == 1) return a;
  // A condition that was widened to an integer is that condition.
  if (t.kind == TermKind::kZext && width(t.a) == 1) return t.a;
  return negation(equals(a, 0));
}

// Folds constants, orders the operands of commutative operators, simplifies.
TermId TermStore::finish(Term t) {
  const int n = arity(t.kind);
  const bool constant_operands = is_constant(t.a) && (n < 2 || is_constant(t.b)) && (n < 3 || is_constant(t.c));
  if (constant_operands)
    return constant(
        t.width, apply(t, width(t.a), terms_[t.a.index()].value, terms_[t.b.index()].value, terms_[t.c.index()].value));
  if (simplify_ == Simplify::kNo) return intern(t);
  // Constants to the right, else by number: so that x+y and y+x are one term.
  if (commutes(t.kind) && (is_constant(t.a) || (!is_constant(t.b) && t.b < t.a))) std::swap(t.a, t.b);
  const TermId simpler = RuleBook::standard().rewrite(*this, t);
  return simpler == kNoTerm ? intern(t) : simpler;
}

TermId TermStore::intern(const Term& t) {
  const auto [place, added] = known_.try_emplace(t, TermId(static_cast<std::uint32_t>(terms_.size())));
  if (added) terms_.push_back(t);
  return place->second;
}

const std::vector<std::uint32_t>& TermStore::support(TermId root) {
  supports_.resize(terms_.size());
  has_support_.resize(terms_.size(), false);
  stack_.assign(1, root);
  while (!stack_.empty()) {
    const TermId t = stack_.back();
    if (has_support_[t.index()]) {
      stack_.pop_back();
      continue;
    }
    const Term& term = terms_[t.index()];
    const TermId operands[] = {term.a, term.b, term.c};
    const int n = arity(term.kind);
    bool ready = true;
    for (int i = 0; i < n; ++i)
      if (!has_support_[operands[i].index()]) {
        stack_.push_back(operands[i]);
        ready = false;
      }
    if (!ready) continue;
    std::vector<std::uint32_t>& mine = supports_[t.index()];
    if (term.kind == TermKind::kInput) mine.push_back(static_cast<std::uint32_t>(term.value));
    for (int i = 0; i < n; ++i) {
      const auto& theirs = supports_[operands[i].index()];
      mine.insert(mine.end(), theirs.begin(), theirs.end());
    }
    std::sort(mine.begin(), mine.end());
    mine.erase(std::unique(mine.begin(), mine.end()), mine.end());
    has_support_[t.index()] = true;
    stack_.pop_back();
  }
  return supports_[root.index()];
}

Bits TermStore::evaluate(TermId root, const Assignment& inputs) {
  ++epoch_;
  return evaluate_also(root, inputs);
}

bool TermStore::all_hold(std::span<const TermId> conditions, const Assignment& inputs) {
  ++epoch_;
  return std::all_of(conditions.begin(), conditions.end(), [&](TermId c) { return evaluate_also(c, inputs) != 0; });
}

Bits TermStore::evaluate_also(TermId root, const Assignment& inputs) {
  values_.resize(terms_.size());
  epochs_.resize(terms_.size(), 0);
  stack_.assign(1, root);
  while (!stack_.empty()) {
    const TermId t = stack_.back();
    const Term& term = terms_[t.index()];
    if (epochs_[t.index()] == epoch_) {
      stack_.pop_back();
      continue;
    }
    const TermId operands[] = {term.a, term.b, term.c};
    const int n = arity(term.kind);
    bool ready = true;
    for (int i = 0; i < n; ++i)
      if (epochs_[operands[i].index()] != epoch_) {
        stack_.push_back(operands[i]);
        ready = false;
      }
    if (!ready) continue;
    Bits& value = values_[t.index()];
    if (term.kind == TermKind::kConst) {
      value = term.value;
    } else if (term.kind == TermKind::kInput) {
      const auto ordinal = static_cast<std::size_t>(term.value);
      value = (ordinal < inputs.size() ? inputs[ordinal] : 0) & mask_of(term.width);
    } else {
      value = apply(term, width(term.a), values_[term.a.index()], n > 1 ? values_[term.b.index()] : 0,
                    n > 2 ? values_[term.c.index()] : 0);
    }
    epochs_[t.index()] = epoch_;
    stack_.pop_back();
  }
  return values_[root.index()];
}

Bits TermStore::at_zero(TermId t) {
  if (at_zero_.empty()) at_zero_.push_back(0);  // of no term
  while (at_zero_.size() <= t.index()) {        // operands have smaller numbers
    const Term& term = terms_[at_zero_.size()];
    const bool leaf = arity(term.kind) == 0;
    at_zero_.push_back(leaf ? (term.kind == TermKind::kConst ? term.value : 0)
                            : apply(term, width(term.a), at_zero_[term.a.index()], at_zero_[term.b.index()],
                                    at_zero_[term.c.index()]));
  }
  return at_zero_[t.index()];
}

std::string TermStore::to_text(TermId id) const {
  const Term& t = terms_[id.index()];
  if (t.kind == TermKind::kInput) return input_names_[static_cast<std::size_t>(t.value)];
  if (t.kind == TermKind::kConst) {
    const Signed v = as_signed(t.value, t.width);
    if (t.width == 1) return t.value != 0 ? "true" : "false";
    return v >= INT64_MIN && v <= INT64_MAX ? std::to_string(static_cast<std::int64_t>(v)) : "<wide>";
  }
  std::string text = std::string("(") + name_of(t.kind);
  if (t.kind == TermKind::kExtract) text += " " + std::to_string(t.low) + "+" + std::to_string(t.width);
  if (t.kind == TermKind::kZext || t.kind == TermKind::kSext) text += " " + std::to_string(t.width);
  const TermId operands[] = {t.a, t.b, t.c};
  for (int i = 0; i < arity(t.kind); ++i) text += " " + to_text(operands[i]);
  return text + ")";
}

}  // namespace heddle::symbolic
