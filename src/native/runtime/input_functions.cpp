// Where a program asks for inputs: include/heddle/heddle.h, and the names that KLEE and the SV-COMP benchmarks use.
#include <string.h>

#include "heddle/heddle.h"
#include "native/runtime/failure.h"
#include "native/runtime/inputs.h"
#include "native/runtime/program_interface.h"
#include "native/runtime/scheduler.h"

using namespace heddle;
using namespace heddle::runtime;
using symbolic::TermKind;
using trace::FailureKind;

#define PC __builtin_return_address(0)

namespace {

// A number of `width` bits in 64, as the caller sees it.
std::uint64_t read_input(const void* function, unsigned width, bool is_signed, const char* label) {
  if (!controlled() || !inputs) return 0;
  EngineScope scope;
  TermId term;
  std::uint64_t value = inputs->next({width, is_signed}, label, term);
  const std::uint64_t sign = std::uint64_t{1} << (width - 1);
  if (is_signed) value = (value ^ sign) - sign;
  if (term != kNoTerm) {
    term = inputs->terms().extend(is_signed ? TermKind::kSext : TermKind::kZext, term, 64);
    heddle_sym_call.results[0] = term.value;
    heddle_sym_call.returned_from = function;
  }
  return value;
}

// The same where the caller gets a narrower type.
std::uint64_t read_narrow(const void* function, unsigned width, bool is_signed, const char* label) {
  const std::uint64_t value = read_input(function, width, is_signed, label);
  if (heddle_sym_call.returned_from != function || !controlled() || !inputs) return value;
  EngineScope scope;
  TermId& t = reinterpret_cast<TermId&>(heddle_sym_call.results[0]);
  t = inputs->terms().extract(t, 0, width);
  return value;
}

void assume(const void* function, bool condition, const void* pc) {
  if (!controlled()) return;
  EngineScope scope;
  TermId t = argument_term(function, 0);
  heddle_sym_call.callee = nullptr;
  if (t != kNoTerm) t = inputs->terms().nonzero(t);
  if (t != kNoTerm)
    inputs->assume(t, condition, pc);
  else if (!condition)
    stop_thread(Stopped::kInfeasible);
}

}  // namespace

#define SELF(name) reinterpret_cast<const void*>(&name)

extern "C" {

unsigned long long heddle_input(const char* name, int bits, int is_signed) {
  if (bits < 1 || bits > 64) fail_thread(FailureKind::kError, PC, "an input has from 1 to 64 bits");
  return read_input(SELF(heddle_input), static_cast<unsigned>(bits), is_signed != 0, name);
}

void heddle_input_bytes(void* buffer, unsigned long length, const char* name) {
  if (!controlled() || !inputs) return;
  EngineScope scope;
  auto bytes = static_cast<unsigned char*>(buffer);
  for (unsigned long i = 0; i < length; ++i) {
    TermId term;
    bytes[i] =
        static_cast<unsigned char>(inputs->next({.bytes_left = static_cast<std::uint32_t>(length - i)}, name, term));
    if (inputs->tracking()) inputs->memory.store(inputs->terms(), reinterpret_cast<std::uintptr_t>(bytes + i), 1, term);
  }
}

__attribute__((weak)) void klee_make_symbolic(void* buffer, unsigned long length, const char* name) {
  heddle_input_bytes(buffer, length, name);
}

void heddle_assume(int condition) { assume(SELF(heddle_assume), condition != 0, PC); }
__attribute__((weak)) void klee_assume(unsigned long condition) { assume(SELF(klee_assume), condition != 0, PC); }
__attribute__((weak)) void __VERIFIER_assume(int condition) { assume(SELF(__VERIFIER_assume), condition != 0, PC); }

// Programs of the competition bring their own, as a rule.
__attribute__((weak)) void __VERIFIER_assert(int condition) {
  const TermId t = argument_term(SELF(__VERIFIER_assert), 0);
  if (t != kNoTerm && controlled()) {
    EngineScope scope;
    heddle_sym_call.callee = nullptr;
    inputs->decide_truth(inputs->terms().nonzero(t), condition != 0, PC);
  }
  if (!condition) fail_thread(FailureKind::kAssertion, PC, "__VERIFIER_assert failed");
}

#define DEFINE_NONDET(name, T)                                                                                     \
  __attribute__((weak)) T __VERIFIER_nondet_##name() {                                                             \
    return static_cast<T>(read_narrow(SELF(__VERIFIER_nondet_##name), 8 * sizeof(T), std::is_signed_v<T>, #name)); \
  }
DEFINE_NONDET(char, char)
DEFINE_NONDET(uchar, unsigned char)
DEFINE_NONDET(short, short)
DEFINE_NONDET(ushort, unsigned short)
DEFINE_NONDET(int, int)
DEFINE_NONDET(uint, unsigned)
DEFINE_NONDET(long, long)
DEFINE_NONDET(ulong, unsigned long)
DEFINE_NONDET(longlong, long long)
DEFINE_NONDET(ulonglong, unsigned long long)
DEFINE_NONDET(size_t, std::size_t)
DEFINE_NONDET(loff_t, long long)
DEFINE_NONDET(sector_t, unsigned long)
DEFINE_NONDET(pthread_t, unsigned long)
DEFINE_NONDET(u8, std::uint8_t)
DEFINE_NONDET(u16, std::uint16_t)
DEFINE_NONDET(u32, std::uint32_t)
DEFINE_NONDET(u64, std::uint64_t)
DEFINE_NONDET(unsigned, unsigned)
}
