// The arithmetic of models: 32-bit integers that wrap, as the machine's do. One definition serves constant
// folding and the interpreter.
#pragma once

#include <cstdint>
#include <limits>

namespace heddle::model {

enum class Operator : std::uint8_t {
  kAdd,
  kSub,
  kMul,
  kDiv,
  kMod,
  kShiftLeft,
  kShiftRight,
  kBitAnd,
  kBitOr,
  kBitXor,
  kEqual,
  kNotEqual,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kNegate,
  kNot,
  kComplement,  // unary: the right operand is not looked at
};
inline constexpr int kOperators = static_cast<int>(Operator::kComplement) + 1;

// Division by zero is the caller's to exclude. The lowest integer divided by -1 wraps to itself; a shift
// counts modulo 32, to the right it keeps the sign.
constexpr std::int32_t apply(Operator op, std::int32_t a, std::int32_t b) {
  const auto ua = static_cast<std::uint32_t>(a), ub = static_cast<std::uint32_t>(b);
  const auto wrap = [](std::uint32_t v) { return static_cast<std::int32_t>(v); };
  switch (op) {
    case Operator::kAdd:
      return wrap(ua + ub);
    case Operator::kSub:
      return wrap(ua - ub);
    case Operator::kMul:
      return wrap(ua * ub);
    case Operator::kDiv:
      return b == -1 ? wrap(0u - ua) : a / b;
    case Operator::kMod:
      return b == -1 ? 0 : a % b;
    case Operator::kShiftLeft:
      return wrap(ua << (ub & 31));
    case Operator::kShiftRight:
      return a >> (ub & 31);
    case Operator::kBitAnd:
      return a & b;
    case Operator::kBitOr:
      return a | b;
    case Operator::kBitXor:
      return a ^ b;
    case Operator::kEqual:
      return a == b;
    case Operator::kNotEqual:
      return a != b;
    case Operator::kLess:
      return a < b;
    case Operator::kLessEqual:
      return a <= b;
    case Operator::kGreater:
      return a > b;
    case Operator::kGreaterEqual:
      return a >= b;
    case Operator::kNegate:
      return wrap(0u - ua);
    case Operator::kNot:
      return a == 0;
    case Operator::kComplement:
      return ~a;
  }
  return 0;
}

constexpr bool divides(Operator op) { return op == Operator::kDiv || op == Operator::kMod; }

}  // namespace heddle::model
