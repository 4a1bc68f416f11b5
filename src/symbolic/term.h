// Terms over bit vectors: what a value is, as a function of the inputs.
//
// Hash-consed: a term is a number, equal terms have equal numbers, and a term's operands have smaller numbers than
// it. Nothing is ever freed, so a number means the same thing for as long as its store lives; that is what lets
// constraints of different executions be compared, cached and bit-blasted once.
//
// Widths are 1 to 128 bits; a condition is a term of one bit. The operators are those of SMT-LIB's bit vectors, which
// are total: division by zero gives all ones, the remainder by zero is the dividend, a shift by the width or more
// gives zeros (or signs). Where C says otherwise or nothing, the front end builds the term accordingly (masks the
// shift count) or branches before (on a divisor of zero).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/strong_id.h"

namespace heddle::symbolic {

using Bits = unsigned __int128;
using TermId = StrongId<struct TermTag, std::uint32_t>;
inline constexpr TermId kNoTerm{0};  // a value without a term is a plain number

enum class TermKind : std::uint8_t {
  kConst,
  kInput,
  kNot,  // of every bit
  kNeg,
  kAnd,
  kOr,
  kXor,
  kAdd,
  kSub,
  kMul,
  kUdiv,
  kSdiv,
  kUrem,
  kSrem,  // has the dividend's sign
  kShl,
  kLshr,
  kAshr,
  kConcat,   // the first operand is the upper part
  kExtract,  // bits low .. low + width - 1
  kZext,
  kSext,
  kEq,  // from here on: one bit
  kUlt,
  kUle,
  kSlt,
  kSle,
  kIte,  // condition, then, else
};
inline constexpr int kTermKinds = static_cast<int>(TermKind::kIte) + 1;

const char* name_of(TermKind kind);
// Number of operands.
int arity(TermKind kind);

struct Term {
  TermKind kind = TermKind::kConst;
  std::uint8_t width = 1;
  std::uint8_t low = 0;  // kExtract
  TermId a, b, c;
  Bits value = 0;  // kConst; kInput: its ordinal among the inputs

  bool operator==(const Term&) const = default;
};

constexpr Bits mask_of(unsigned width) { return width >= 128 ? ~Bits{0} : (Bits{1} << width) - 1; }
// The operator applied to numbers; `t` supplies kind, width and low, `operand_width` the first operand's width.
Bits apply(const Term& t, unsigned operand_width, Bits a, Bits b, Bits c);

// Values of the inputs, by ordinal; one that is missing is 0.
using Assignment = std::vector<std::uint64_t>;

enum class Simplify : std::uint8_t { kYes, kNo };

class TermStore {
 public:
  explicit TermStore(Simplify simplify = Simplify::kYes);

  TermId constant(unsigned width, Bits value);
  TermId truth(bool value) { return constant(1, value ? 1 : 0); }
  // The input of this name; the same name is the same term. Inputs have at most 64 bits.
  TermId input(unsigned width, const std::string& name);

  // A term of another store, as the next one of this: for a store that repeats the other in order. False if it cannot
  // be one: operands that do not come before it, or widths that do not fit.
  bool adopt(const Term& t, std::string name = {});
  // A term made elsewhere of operands that are here, as it is; an input by its name. kNoTerm if it cannot be one.
  TermId find_or_adopt(Term t, const std::string& name);

  TermId make(TermKind kind, TermId a, TermId b = kNoTerm, TermId c = kNoTerm);
  TermId extract(TermId a, unsigned low, unsigned width);
  TermId extend(TermKind kind, TermId a, unsigned width);  // kZext or kSext
  TermId negation(TermId condition);
  TermId ite(TermId condition, TermId yes, TermId no) { return make(TermKind::kIte, condition, yes, no); }
  TermId equals(TermId a, Bits value) { return make(TermKind::kEq, a, constant(width(a), value)); }
  // The condition that a value is not zero.
  TermId nonzero(TermId a);

  const Term& operator[](TermId t) const { return terms_[t.index()]; }
  unsigned width(TermId t) const { return terms_[t.index()].width; }
  bool is_constant(TermId t) const { return terms_[t.index()].kind == TermKind::kConst; }
  std::size_t size() const { return terms_.size(); }

  std::size_t inputs() const { return inputs_.size(); }
  TermId input_term(std::size_t ordinal) const { return inputs_[ordinal]; }
  const std::string& input_name(std::size_t ordinal) const { return input_names_[ordinal]; }

  // Ordinals of the inputs that occur in the term, ascending.
  const std::vector<std::uint32_t>& support(TermId t);
  Bits evaluate(TermId t, const Assignment& inputs);
  // As evaluate, for the inputs of the call before: what that one computed is known.
  Bits evaluate_also(TermId t, const Assignment& inputs);
  bool all_hold(std::span<const TermId> conditions, const Assignment& inputs);
  // Its value where every input is 0.
  Bits at_zero(TermId t);

  std::string to_text(TermId t) const;

 private:
  friend class RuleBook;
  struct Hash {
    std::size_t operator()(const Term& t) const;
  };

  bool is_sound(const Term& t) const;
  TermId smaller_part(TermId a, unsigned low, unsigned width);  // parts.cpp
  TermId smaller_whole(TermId upper, TermId lower);
  TermId intern(const Term& t);
  TermId finish(Term t);

  Simplify simplify_;
  std::vector<Term> terms_;
  std::unordered_map<Term, TermId, Hash> known_;
  std::vector<TermId> inputs_;
  std::vector<std::string> input_names_;
  std::unordered_map<std::string, TermId> input_by_name_;
  std::vector<std::vector<std::uint32_t>> supports_;  // by term, filled on demand
  std::vector<bool> has_support_;

  // Values of the current evaluation, valid where the epoch is the current one.
  std::vector<Bits> values_;
  std::vector<std::uint32_t> epochs_;
  std::uint32_t epoch_ = 0;
  std::vector<TermId> stack_;
  std::vector<Bits> at_zero_;  // by term, filled on demand
};

}  // namespace heddle::symbolic
