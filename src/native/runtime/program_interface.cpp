// What programs call by name: include/heddle/heddle.h and the names of the SV-COMP benchmarks.
#include <stdlib.h>
#include <string.h>

#include "heddle/heddle.h"
#include "native/runtime/atomic_sections.h"
#include "native/runtime/failure.h"
#include "native/runtime/program_interface.h"
#include "native/runtime/random_numbers.h"
#include "native/runtime/raw.h"
#include "native/runtime/scheduler.h"
#include "native/runtime/shadow.h"

using namespace heddle;
using namespace heddle::runtime;
using trace::FailureKind;

namespace {

heddle_test* tests = nullptr;

int choose(int n, const void* pc) {
  if (!controlled()) return 0;
  if (n < 1 || n > 128) fail_thread(FailureKind::kError, pc, "heddle_choose(n) needs an n from 1 to 128");
  if (section_has_begun()) return choose_in_section(static_cast<std::size_t>(n), pc);
  VisibleOperation op(OpKind::kChoose, kNoObject, where_of(pc));
  op.step().set = SmallSet::below(static_cast<std::size_t>(n));
  op.await();
  op.step().choice = op.choice();
  op.performed();
  return op.step().choice;
}

// Floating point is not explored: a seeded sequence per thread. The result then says that it is no proof.
std::uint64_t drawn_input() {
  if (!controlled()) return 0;
  rt.inputs_drawn = true;
  return draw();
}

}  // namespace

namespace heddle::runtime {

const std::vector<std::string> test_names() {
  std::vector<std::string> names;
  for (heddle_test* test = tests; test; test = test->next) names.insert(names.begin(), test->name);
  return names;
}

void (*test_named(const std::string& name))() {
  for (heddle_test* test = tests; test; test = test->next)
    if (name == test->name) return test->function;
  return nullptr;
}

}  // namespace heddle::runtime

#define PC __builtin_return_address(0)

extern "C" {

// For programs that consist of tests only. Run by hand, they run once each.
__attribute__((weak)) int heddle_main_of_tests() asm("main");
int heddle_main_of_tests() {
  if (!tests) raw::die("the program has neither a main nor a test (HEDDLE_TEST)");
  for (heddle_test* test = tests; test; test = test->next) test->function();
  return 0;
}

void heddle_register_test(heddle_test* test) {
  test->next = tests;
  tests = test;
}

int heddle_choose(int n) { return choose(n, PC); }
void heddle_fail(const char* text) { fail_thread(FailureKind::kAssertion, PC, text, detail_of_assertion()); }

__attribute__((weak)) void __VERIFIER_error() { fail_thread(FailureKind::kError, PC, "__VERIFIER_error was called"); }
__attribute__((weak)) void reach_error() { fail_thread(FailureKind::kError, PC, "reach_error was called"); }

__attribute__((weak)) bool __VERIFIER_nondet_bool() { return choose(2, PC) != 0; }
__attribute__((weak)) float __VERIFIER_nondet_float() { return static_cast<float>(drawn_input() >> 40) * 0x1p-24f; }
__attribute__((weak)) double __VERIFIER_nondet_double() { return static_cast<double>(drawn_input() >> 11) * 0x1p-53; }
__attribute__((weak)) void* __VERIFIER_nondet_pointer() { return reinterpret_cast<void*>(drawn_input()); }
}
