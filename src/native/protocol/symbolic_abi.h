// What code compiled with tracking of inputs (native/pass/symbolic.cpp) and the runtime agree on. Included by the
// compiler pass, so it includes nothing of Heddle itself.
//
// A term is a number in the runtime's store, 0 for a value that does not depend on inputs. Terms of arguments and
// results travel in one record, `heddle_sym_call`: nobody else runs between a caller's writing it and the callee's
// entry, or between a return and the caller's reading it, so one is enough for all threads.
#pragma once

#include <cstdint>

namespace heddle::protocol {

enum class SymbolicOp : std::uint32_t {
  kAdd,
  kSub,
  kMul,
  kUdiv,
  kSdiv,
  kUrem,
  kSrem,
  kShl,
  kLshr,
  kAshr,
  kAnd,
  kOr,
  kXor,
  // Results of one bit.
  kEq,
  kNe,
  kUlt,
  kUle,
  kSlt,
  kSle,
  kAddOverflowsSigned,
  kAddOverflowsUnsigned,
  kSubOverflowsSigned,
  kSubOverflowsUnsigned,
  kMulOverflowsSigned,
  kMulOverflowsUnsigned,
  kUmin,
  kUmax,
  kSmin,
  kSmax,
  kUaddSat,
  kUsubSat,
  kAbs,
  kByteSwap,  // of one operand
  kExchange,
  kNand,
  kUnsupported,  // of atomic updates only
};
// Of additions, subtractions and multiplications of the program that may not overflow as signed numbers.
inline constexpr std::uint32_t kNoSignedWrap = 1u << 16;

inline constexpr unsigned kSymbolicArguments = 16;
inline constexpr unsigned kSymbolicResults = 4;

struct SymbolicCall {
  const void* callee;         // whose arguments these are; null: nobody's
  const void* returned_from;  // a function of the runtime that wrote `results`
  std::uint32_t arguments[kSymbolicArguments];
  std::uint32_t results[kSymbolicResults];   // of the function that returned last
  std::uint64_t values[kSymbolicArguments];  // the plain numbers of the arguments
};

// Before each function that is compiled with tracking, so that a call through a pointer knows.
inline constexpr std::uint64_t kTrackedFunction = 0x6b63617254646548ull;

// Memory that may hold terms: a byte per 64 bytes, folded. An access looks under its first byte only.
inline constexpr unsigned kFilterShift = 6;
inline constexpr unsigned kFilterBits = 16;
// The longest access that looks there instead of asking the runtime.
inline constexpr unsigned kFilterReach = 16;

}  // namespace heddle::protocol
