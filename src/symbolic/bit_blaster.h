// Terms as circuits, one literal per bit, each term once.
//
// Adders are chains of xor and majority gates; a product adds shifted copies of one factor, and where the other factor
// is a constant, adds and subtracts by its signed-digit recoding, which halves the number of rows. Division introduces
// fresh bits for quotient and remainder and says what they must satisfy (q*b + r = a without overflow, r < b):
// shorter than a divider, and solvers do better on it.
#pragma once

#include <unordered_map>
#include <vector>

#include "symbolic/gates.h"
#include "symbolic/term.h"

namespace heddle::symbolic {

class BitBlaster {
 public:
  using Word = std::vector<Literal>;  // least significant bit first

  BitBlaster(const TermStore& store, Gates& gates) : store_(store), gates_(gates) {}

  const Word& blast(TermId t);
  // The literals of an input that has been met; nothing if it has not.
  const Word* input_bits(TermId input) const;

 private:
  Word build(const Term& t);
  Word sum(const Word& a, const Word& b, Literal carry);
  Word negated(const Word& a);
  Word complement(Word a);
  Word product(const Word& a, const Word& b);
  Word constant_product(const Word& a, Bits factor);
  Word shifted(const Word& a, const Word& count, TermKind kind);
  Word chosen(Literal condition, const Word& yes, const Word& no);
  Word division(const Term& t, const Word& a, const Word& b);
  struct Parts {
    Word quotient, remainder;
  };
  const Parts& divided(TermId a, TermId b, bool is_signed, const Word& x, const Word& y);
  Literal less(const Word& a, const Word& b, Literal or_equal);
  Literal equal(const Word& a, const Word& b);

  const TermStore& store_;
  Gates& gates_;
  std::unordered_map<std::uint32_t, Word> words_;
  std::unordered_map<std::uint64_t, Parts> divisions_;  // quotient and remainder share one circuit
};

}  // namespace heddle::symbolic
