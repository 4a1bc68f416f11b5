// What code compiled with tracking of inputs calls (native/pass/tracker.h), and only where something depends on inputs.
#include <pthread.h>
#include <string.h>
#include <unordered_set>

#include "heddle/heddle.h"
#include "native/runtime/failure.h"
#include "native/runtime/heap.h"
#include "native/runtime/inputs.h"
#include "native/runtime/race_detector.h"
#include "native/runtime/scheduler.h"
#include "native/runtime/symbolic_library.h"
#include "native/runtime/term_operators.h"
#include "native/runtime/written_values.h"
#include "symbolic/table.h"

using namespace heddle;
using namespace heddle::runtime;
using symbolic::TermKind;
using trace::FailureKind;

#define PC __builtin_return_address(0)

namespace {

bool off() { return !rt.active || rt.in_engine || !inputs || !inputs->tracking(); }

TermId as_term(std::uint32_t t, unsigned width, std::uint64_t value) {
  return t != 0 ? TermId(t) : inputs->terms().constant(width, value);
}

std::uint32_t plain_if_constant(TermId t) { return inputs->terms().is_constant(t) ? 0 : t.value; }

// Their results decide nothing, and what they print is what it is with the inputs at hand.
bool only_prints(const char* name) {
  static constexpr const char* kPrinters[] = {
      "printf", "fprintf",   "puts",          "fputs",       "putchar",      "putc",          "fputc",   "fwrite",
      "write",  "perror",    "vprintf",       "vfprintf",    "__printf_chk", "__fprintf_chk", "fflush",  "usleep",
      "sleep",  "nanosleep", "__assert_fail", "heddle_fail", "free",         "_ZdlPv",        "_ZdlPvm", "_ZdaPv"};
  for (const char* printer : kPrinters)
    if (strcmp(name, printer) == 0) return true;
  return strncmp(name, "_ZNSo", 5) == 0 || strncmp(name, "_ZStls", 6) == 0 ||
         strncmp(name, "_ZSt16__ostream_insert", 22) == 0;
}

bool ends_the_program(const char* name) {
  return strcmp(name, "exit") == 0 || strcmp(name, "_exit") == 0 || strcmp(name, "_Exit") == 0 ||
         strcmp(name, "quick_exit") == 0;
}

// Structures passed by value that have been handed over and not been taken yet.
struct HandedOver {
  const void* callee = nullptr;
  std::uintptr_t from = 0;
  std::uint64_t size = 0;
};
HandedOver handed_over[kMaxThreads][protocol::kSymbolicArguments];

struct Range {
  std::uintptr_t low = 0;
  std::size_t size = 0;  // 0: not known
};

// The heap block that a pointer belongs to.
Range block_at(std::uintptr_t address) {
  if (address != 0 && Heap::contains(reinterpret_cast<void*>(address)))
    if (Block* block = heap.block_of(address)) return {reinterpret_cast<std::uintptr_t>(block->user()), block->size};
  return {};
}

// The object that an address is meant to lie in: that of the pointer it was made from, wherever the inputs at hand
// lead. `base` is that pointer, if it depends on no inputs itself; otherwise it is known from when it was made
// (Inputs).
Range object_of_address(TermId t, std::uintptr_t base, std::size_t extent) {
  if (extent != 0) return {base, extent};
  return block_at(base != 0 ? base : inputs->made_from(t));
}

// The places in its object at which an access may happen, `1 << shift` bytes apart.
struct Places {
  std::uintptr_t low = 0;
  unsigned shift = 0;
  std::size_t count = 0;  // below 2: nothing to decide any more
  TermId which;           // the number of the place
};

// An access through an address that depends on inputs: first whether it stays inside its object.
Places places_of(TermId t, std::uintptr_t at, std::size_t size, const Range& object, const void* pc) {
  symbolic::TermStore& terms = inputs->terms();
  if (object.size < size || object.size == 0) {
    inputs->concretise(t, at, pc, "an address that depends on inputs was taken as it was");
    return {};
  }
  const TermId offset = terms.make(TermKind::kSub, t, terms.constant(64, object.low));
  const std::size_t last = object.size - size;
  const TermId inside = terms.make(TermKind::kUle, offset, terms.constant(64, last));
  const bool actual = at - object.low <= last;
  if (!inputs->options().check_bounds) {
    inputs->assume(inside, actual, pc);
  } else if (!inputs->decide_truth(inside, actual, pc)) {
    fail_thread(FailureKind::kIndexOutOfRange, pc,
                "an access outside its object of " + std::to_string(object.size) + " bytes");
  }
  const unsigned zeros = std::min(trailing_zeros(terms, offset), 63u);
  const TermId which = terms.extract(offset, zeros, 64 - zeros);
  return {object.low, zeros, terms.is_constant(which) ? 1 : (last >> zeros) + 1, which};
}

// Then which place it is.
void decide_place(TermId t, std::uintptr_t at, const Places& places, const void* pc) {
  constexpr std::size_t kMostOutcomes = 128;
  if (places.count > kMostOutcomes)
    return inputs->concretise(t, at, pc, "an index into more than 128 elements was taken as it was");
  inputs->decide(places.which, places.count, (at - places.low) >> places.shift, OpKind::kBranch, pc);
}

// May all places be read at once? Not if other threads write to some of them without being ordered with this one: then
// each read is a step, and which place it concerns must be known. That is learnt: a place that turns out to race with
// such a read is visible from then on, and the search begins again.
bool may_read_all(const Places& places, std::size_t size, const void* pc) {
  const std::size_t bytes = ((places.count - 1) << places.shift) + size;
  if (any_visible(places.low, bytes)) return false;
  possible_read(places.low, bytes, pc);
  return true;
}

TermId element_of_places(const Places& places, std::size_t size, unsigned width) {
  symbolic::TermStore& terms = inputs->terms();
  std::vector<TermId> elements;
  for (std::size_t k = 0; k < places.count; ++k) {
    const std::uintptr_t place = places.low + (k << places.shift);
    TermId element = inputs->memory.load(terms, place, size);
    if (element == kNoTerm) {
      std::uint64_t value = 0;
      memcpy(&value, reinterpret_cast<const void*>(place), size);
      element = terms.constant(static_cast<unsigned>(8 * size), value);
    }
    elements.push_back(terms.extract(element, 0, width));
  }
  return symbolic::element_of(terms, places.which, elements);
}

}  // namespace

extern "C" {

std::uint32_t heddle_sym_apply(std::uint32_t code, std::uint32_t width, std::uint32_t at, std::uint64_t a,
                               std::uint32_t bt, std::uint64_t b) {
  if ((at | bt) == 0 || off()) return 0;
  EngineScope scope;
  symbolic::TermStore& terms = inputs->terms();
  const auto op = static_cast<protocol::SymbolicOp>(code & ~protocol::kNoSignedWrap);
  const TermId x = as_term(at, width, a), y = as_term(bt, width, b);
  if ((code & protocol::kNoSignedWrap) != 0 && inputs->options().check_overflow) {
    const TermId fits = fits_signed(terms, op, x, y);
    if (!terms.is_constant(fits)) {
      // Where the inputs at hand lead, the term itself says best.
      const bool actual = inputs->evaluate(fits) != 0;
      if (inputs->decide(fits, 2, actual, OpKind::kBranch, PC) == 0)
        fail_thread(FailureKind::kOverflow, PC, "signed overflow");
    }
  }
  return plain_if_constant(apply_to_terms(terms, op, x, y));
}

std::uint32_t heddle_sym_resize(std::uint32_t t, std::uint32_t width, std::uint32_t is_signed) {
  if (t == 0 || off()) return 0;
  EngineScope scope;
  symbolic::TermStore& terms = inputs->terms();
  const TermId x(t);
  if (width <= terms.width(x)) return plain_if_constant(terms.extract(x, 0, width));
  return terms.extend(is_signed != 0 ? TermKind::kSext : TermKind::kZext, x, width).value;
}

std::uint32_t heddle_sym_funnel(std::uint32_t width, std::uint32_t at, std::uint64_t a, std::uint32_t bt,
                                std::uint64_t b, std::uint64_t count, std::uint32_t left) {
  if ((at | bt) == 0 || off()) return 0;
  EngineScope scope;
  symbolic::TermStore& terms = inputs->terms();
  const auto n = static_cast<unsigned>(count % width);
  const TermId both = terms.make(TermKind::kConcat, as_term(at, width, a), as_term(bt, width, b));
  return plain_if_constant(terms.extract(both, left != 0 ? width - n : n, width));
}

// base + index * stride
std::uint32_t heddle_sym_index(std::uint32_t bt, std::uint64_t base, std::uint32_t it, std::uint64_t index,
                               std::uint32_t index_width, std::uint64_t stride) {
  if ((bt | it) == 0 || off()) return 0;
  EngineScope scope;
  symbolic::TermStore& terms = inputs->terms();
  TermId i = it != 0 ? TermId(it) : terms.constant(64, index);
  if (it != 0 && index_width < 64) i = terms.extend(TermKind::kSext, i, 64);
  const TermId offset = terms.make(TermKind::kMul, i, terms.constant(64, stride));
  const TermId address = terms.make(TermKind::kAdd, as_term(bt, 64, base), offset);
  inputs->note_made_from(address, bt == 0 ? base : inputs->made_from(TermId(bt)));
  return plain_if_constant(address);
}

// `all_places` is what heddle_sym_look_up made of it just before, or 0.
std::uint32_t heddle_sym_load(const void* address, std::uint32_t size, std::uint32_t all_places, std::uint32_t width) {
  if (off()) return 0;
  if (all_places != 0) return all_places;
  EngineScope scope;
  symbolic::TermStore& terms = inputs->terms();
  const TermId t = inputs->memory.load(terms, reinterpret_cast<std::uintptr_t>(address), size);
  if (t == kNoTerm || width == terms.width(t)) return t.value;
  return plain_if_constant(terms.extract(t, 0, width));
}

void heddle_sym_store(void* address, std::uint64_t size, std::uint32_t t, std::uint64_t) {
  if (off()) return;
  EngineScope scope;
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  inputs->memory.store(inputs->terms(), at, size, inputs->compared(at) ? kNoTerm : TermId(t));
}

void heddle_sym_copy(void* to, const void* from, std::uint64_t size) {
  if (off()) return;
  EngineScope scope;
  inputs->memory.copy(reinterpret_cast<std::uintptr_t>(to), reinterpret_cast<std::uintptr_t>(from), size);
}

void heddle_sym_fill(void* to, std::uint64_t size, std::uint32_t t, std::uint64_t) {
  if (off()) return;
  EngineScope scope;
  const auto at = reinterpret_cast<std::uintptr_t>(to);
  for (std::uint64_t i = 0; i < size; ++i) inputs->memory.store(inputs->terms(), at + i, 1, TermId(t));
}

void heddle_sym_before_atomic(void* address, std::uint32_t t, std::uint64_t value) {
  if (t == 0 || off()) return;
  EngineScope scope;
  if (inputs->compared(reinterpret_cast<std::uintptr_t>(address)))
    inputs->concretise(TermId(t), value, PC, "a value was stored where another is compared and swapped");
}

void heddle_sym_compared(void* address, std::uint64_t size) {
  if (off()) return;
  EngineScope scope;
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  if (inputs->memory.any(at, size)) inputs->learn_compared(at);
  inputs->memory.store(inputs->terms(), at, size, kNoTerm);
}

std::uint32_t heddle_sym_update(std::uint32_t code, void* address, std::uint32_t width, std::uint32_t t,
                                std::uint64_t value, std::uint64_t old) {
  if (off()) return 0;
  EngineScope scope;
  symbolic::TermStore& terms = inputs->terms();
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  const std::size_t size = (width + 7) / 8;
  const auto op = static_cast<protocol::SymbolicOp>(code);
  // Memory holds the new value by now; the cells still speak of the old one.
  const TermId found = inputs->memory.load_before(terms, at, size, old);
  TermId left = kNoTerm;
  if ((found != kNoTerm || t != 0) && !inputs->compared(at)) {
    if (op == protocol::SymbolicOp::kUnsupported) {
      inputs->leave_open(PC, "an atomic update whose result is taken as it was");
    } else {
      left = apply_to_terms(terms, op, found != kNoTerm ? found : terms.constant(width, old), as_term(t, width, value));
      if (terms.is_constant(left)) left = kNoTerm;
    }
  }
  inputs->memory.store(terms, at, size, left);
  return found.value;
}

void heddle_sym_branch(std::uint32_t t, std::uint64_t actual) {
  if (t == 0 || off()) return;
  EngineScope scope;
  inputs->decide_truth(TermId(t), (actual & 1) != 0, PC);
}

void heddle_sym_switch(std::uint32_t t, std::uint64_t value, const std::uint64_t* cases, std::uint32_t count) {
  if (t == 0 || off()) return;
  EngineScope scope;
  for (std::uint32_t i = 0; i < count; ++i) {
    const TermId here = inputs->terms().equals(TermId(t), cases[i]);
    if (inputs->decide_truth(here, value == cases[i], PC)) return;
  }
}

// A division is about to happen; `width` is 0 unless it is of signed numbers. What would trap is a branch, or assumed
// away.
void heddle_sym_divide(std::uint32_t width, std::uint32_t at, std::uint64_t a, std::uint32_t bt, std::uint64_t b) {
  if ((at | bt) == 0 || off()) return;
  EngineScope scope;
  symbolic::TermStore& terms = inputs->terms();
  const auto check = [&](TermId fine, bool actual, FailureKind kind, const char* text, const void* pc) {
    if (!inputs->options().check_division)
      inputs->assume(fine, actual, pc);
    else if (!inputs->decide_truth(fine, actual, pc))
      fail_thread(kind, pc, text);
  };
  if (bt != 0) check(terms.nonzero(TermId(bt)), b != 0, FailureKind::kDivisionByZero, "division by zero", PC);
  if (width == 0) return;
  const TermId smallest = terms.equals(as_term(at, width, a), symbolic::Bits{1} << (width - 1));
  const TermId minus_one = terms.equals(as_term(bt, width, b), symbolic::mask_of(width));
  const TermId fits = terms.negation(terms.make(TermKind::kAnd, smallest, minus_one));
  if (terms.is_constant(fits)) return;
  check(fits, inputs->evaluate(fits) != 0, FailureKind::kOverflow, "the smallest number divided by -1 overflows", PC);
}

void heddle_sym_concretise(std::uint32_t t, std::uint64_t value) {
  if (t == 0 || off()) return;
  EngineScope scope;
  inputs->concretise(TermId(t), value, PC, "a value that depends on inputs was taken as it was");
}

void heddle_sym_address(std::uint32_t t, void* address, std::uint64_t size, void* base, std::uint64_t extent) {
  if (t == 0 || off()) return;
  EngineScope scope;
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  const Places places =
      places_of(TermId(t), at, size, object_of_address(TermId(t), reinterpret_cast<std::uintptr_t>(base), extent), PC);
  if (places.count > 1) decide_place(TermId(t), at, places, PC);
}

// A read through such an address. The result is the term of what is read, if that is kept as one.
std::uint32_t heddle_sym_look_up(std::uint32_t t, void* address, std::uint64_t size, void* base, std::uint64_t extent,
                                 std::uint32_t width) {
  if (t == 0 || off()) return 0;
  EngineScope scope;
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  const Places places =
      places_of(TermId(t), at, size, object_of_address(TermId(t), reinterpret_cast<std::uintptr_t>(base), extent), PC);
  if (places.count < 2) return 0;
  if (places.count <= inputs->options().symbolic_reads && may_read_all(places, size, PC))
    return plain_if_constant(element_of_places(places, size, width));
  decide_place(TermId(t), at, places, PC);
  return 0;
}

void heddle_sym_pass(const void* callee, std::uint32_t count, const char* name) {
  if (off()) return;
  if (is_tracked(callee) || takes_terms(callee)) {
    heddle_sym_call.callee = callee;
    return;
  }
  if (name && only_prints(name)) return note_written(name, PC);
  EngineScope scope;
  protocol::SymbolicCall record = heddle_sym_call;  // others run meanwhile
  if (name && ends_the_program(name))
    return inputs->decide_exit_code(TermId(record.arguments[0]), record.values[0], PC);
  for (std::uint32_t k = 0; k < count; ++k)
    inputs->concretise(TermId(record.arguments[k]), record.values[k], PC,
                       std::string("an argument of ") + (name ? name : "a function") +
                           ", which is not compiled with tracking, was taken as it was");
}

void heddle_sym_variadic(const void* callee, std::uint32_t t, std::uint64_t value, const char* name) {
  if (t == 0 || off()) return;
  if (name && only_prints(name)) return note_written(name, PC);
  EngineScope scope;
  (void)callee;
  inputs->concretise(TermId(t), value, PC, "an argument beyond those that are tracked was taken as it was");
}

// Is the result that was left behind the callee's? All ones, or 0.
std::uint32_t heddle_sym_returned(const void* callee) {
  if (off()) return 0;
  const bool ours = heddle_sym_call.returned_from == callee;
  heddle_sym_call.returned_from = nullptr;
  if (ours || is_tracked(callee)) return ~0u;
  EngineScope scope;
  inputs->leave_open(PC, "code without tracking called back and decided by a result that depends on inputs");
  return 0;
}

void heddle_sym_hand_over(const void* callee, std::uint32_t k, const void* from, std::uint64_t size, const char* name) {
  if (off()) return;
  EngineScope scope;
  const auto address = reinterpret_cast<std::uintptr_t>(from);
  if (is_tracked(callee) && k < protocol::kSymbolicArguments) {
    handed_over[rt.current.index()][k] = {callee, address, size};
  } else if (inputs->memory.any(address, size)) {
    inputs->leave_open(PC, std::string("a structure passed to ") + (name ? name : "a function") +
                               " by value lost how it depends on inputs");
  }
}

void heddle_sym_take_over(const void* function, std::uint32_t k, void* to, std::uint64_t size) {
  if (off() || k >= protocol::kSymbolicArguments) return;
  EngineScope scope;
  HandedOver& h = handed_over[rt.current.index()][k];
  const auto address = reinterpret_cast<std::uintptr_t>(to);
  if (h.callee == function && h.size == size)
    inputs->memory.copy(address, h.from, size);
  else
    inputs->memory.store(inputs->terms(), address, size, kNoTerm);
  h = {};
}

// Memory that a function without tracking is about to read: up to the end of its object, as far as that is known.
void heddle_sym_external(const void* address, const char* name, const void* base, std::uint64_t extent) {
  if (off()) return;
  if (reads_from_outside(name)) note_read(PC);
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  Range object = extent != 0 ? Range{reinterpret_cast<std::uintptr_t>(base), extent} : block_at(at);
  constexpr std::size_t kUnknown = 8;
  const std::size_t reach = at - object.low < object.size ? object.low + object.size - at : kUnknown;
  if (!inputs->memory.any(at, reach)) return;
  if (only_prints(name)) return note_written(name, PC);
  EngineScope scope;
  inputs->leave_open(PC,
                     std::string(name) + " is not compiled with tracking and was given memory that depends on inputs");
}
}
