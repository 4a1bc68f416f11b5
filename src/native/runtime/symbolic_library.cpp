// Memory and string functions with terms: calls to the C library's are replaced by these
// (native/pass/tracked_calls.cpp); longer than most: many short functions of one kind.
//
// The result of memcmp is a term. Functions that look for an end (strlen, strcmp, strtol, ...) branch at each byte that
// depends on inputs, as the loop in a program would; what they return is then a plain number, except for what strtol
// and its like have read. Accesses that leave their object, where the caller knows it, are failures.
#include "native/runtime/symbolic_library.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/heddle.h"
#include "native/runtime/failure.h"
#include "native/runtime/inputs.h"
#include "native/runtime/scheduler.h"

using namespace heddle;
using namespace heddle::runtime;
using symbolic::TermKind;
using symbolic::TermStore;

#define PC __builtin_return_address(0)

namespace heddle::runtime {
// The object that an argument points into, where the caller knows its size.
struct Bounds {
  std::uintptr_t base = 0;
  std::uint64_t extent = 0;  // 0: not known
};
}  // namespace heddle::runtime

extern "C" {
// Of the function that is about to be called: what it writes to, and what it reads from.
heddle::runtime::Bounds heddle_sym_bounds[2];
void __tsan_read_range(void*, unsigned long);
void __tsan_write_range(void*, unsigned long);
}

namespace {

bool on() { return rt.active && !rt.in_engine && inputs && inputs->tracking(); }

// A byte as the program sees it, with its term.
struct Byte {
  TermId term;
  unsigned char value = 0;
};

Byte byte_at(const void* p) {
  return {inputs->memory.load(inputs->terms(), reinterpret_cast<std::uintptr_t>(p), 1),
          *static_cast<const unsigned char*>(p)};
}

TermId term_of(const Byte& b) { return b.term != kNoTerm ? b.term : inputs->terms().constant(8, b.value); }

bool equal(const Byte& b, unsigned char c, const void* pc) {
  return inputs->decide_truth(b.term == kNoTerm ? kNoTerm : inputs->terms().equals(b.term, c), b.value == c, pc);
}

bool same(const Byte& a, const Byte& b, const void* pc) {
  if (a.term == kNoTerm && b.term == kNoTerm) return a.value == b.value;
  return inputs->decide_truth(inputs->terms().make(TermKind::kEq, term_of(a), term_of(b)), a.value == b.value, pc);
}

bool below(const Byte& a, const Byte& b, const void* pc) {
  if (a.term == kNoTerm && b.term == kNoTerm) return a.value < b.value;
  return inputs->decide_truth(inputs->terms().make(TermKind::kUlt, term_of(a), term_of(b)), a.value < b.value, pc);
}

bool between(const Byte& b, unsigned char low, unsigned char high, const void* pc) {
  const bool actual = b.value >= low && b.value <= high;
  if (b.term == kNoTerm) return actual;
  TermStore& s = inputs->terms();
  const TermId offset = s.make(TermKind::kSub, b.term, s.constant(8, low));
  return inputs->decide_truth(s.make(TermKind::kUle, offset, s.constant(8, static_cast<unsigned char>(high - low))),
                              actual, pc);
}

void give_result(const void* function, TermId term) {
  heddle_sym_call.results[0] = term == kNoTerm || inputs->terms().is_constant(term) ? 0 : term.value;
  heddle_sym_call.returned_from = function;
}

// Arguments of the function that must be plain numbers.
void plain_arguments(const void* function, std::initializer_list<std::uint64_t> values, const void* pc) {
  rt.pc = pc;  // whatever comes of these, it happened there
  const protocol::SymbolicCall record = heddle_sym_call;
  if (record.callee != function) return;
  heddle_sym_call.callee = nullptr;
  unsigned k = 0;
  for (const std::uint64_t value : values)
    inputs->concretise(TermId(record.arguments[k++]), value, pc,
                       "an address or a length that depends on inputs was taken as it was");
}

std::uint64_t address(const void* p) { return reinterpret_cast<std::uint64_t>(p); }

struct Objects {
  Bounds to, from;
};

Objects take_objects() {
  const Objects objects{heddle_sym_bounds[0], heddle_sym_bounds[1]};
  heddle_sym_bounds[0] = heddle_sym_bounds[1] = {};
  return objects;
}

// An access that leaves its object is a failure, whatever lies behind it.
void stay_inside(const Bounds& object, const void* p, std::size_t size, const void* pc) {
  if (object.extent == 0 || !inputs->options().check_bounds) return;
  const std::uint64_t offset = address(p) - object.base;
  if (offset <= object.extent && size <= object.extent - offset) return;
  fail_thread(trace::FailureKind::kIndexOutOfRange, pc,
              "an access outside its object of " + std::to_string(object.extent) + " bytes");
}

std::size_t length_of(const char* s, std::size_t most, const Bounds& object, const void* pc) {
  for (std::size_t n = 0; n < most; ++n) {
    stay_inside(object, s + n, 1, pc);
    if (equal(byte_at(s + n), 0, pc)) return n;
  }
  return most;
}

int compare_strings(const char* a, const char* b, std::size_t most, const void* pc) {
  for (std::size_t i = 0; i < most; ++i) {
    const Byte x = byte_at(a + i), y = byte_at(b + i);
    if (!same(x, y, pc)) return below(x, y, pc) ? -1 : 1;
    if (equal(x, 0, pc)) return 0;
  }
  return 0;
}

int compare_memory(const void* function, const void* a, const void* b, std::size_t n) {
  TermStore& s = inputs->terms();
  const int actual = memcmp(a, b, n);
  TermId result = s.constant(32, 0);
  bool any = false;
  for (std::size_t i = n; i-- > 0;) {
    const Byte x = byte_at(static_cast<const char*>(a) + i), y = byte_at(static_cast<const char*>(b) + i);
    any = any || x.term != kNoTerm || y.term != kNoTerm;
    const TermId differs =
        s.ite(s.make(TermKind::kUlt, term_of(x), term_of(y)), s.constant(32, ~symbolic::Bits{0}), s.constant(32, 1));
    result = s.ite(s.make(TermKind::kEq, term_of(x), term_of(y)), result, differs);
  }
  if (any) give_result(function, result);
  return actual < 0 ? -1 : actual > 0;
}

// The same where the length has a term: some inputs may make it too long.
void stay_inside(const Bounds& object, const void* p, TermId length, std::size_t actual, const void* pc) {
  const std::uint64_t offset = address(p) - object.base;
  if (object.extent == 0 || !inputs->options().check_bounds || offset > object.extent) length = kNoTerm;
  if (length != kNoTerm) {
    TermStore& s = inputs->terms();
    const std::uint64_t most = object.extent - offset;
    const TermId fits = s.make(TermKind::kUle, length, s.constant(s.width(length), most));
    inputs->decide_truth(fits, actual <= most, pc);
  }
  stay_inside(object, p, actual, pc);
}

void check_ranges(const void* function, const void* to, const void* from, std::size_t n, const void* pc) {
  const Objects objects = take_objects();
  if (!on()) return;
  EngineScope scope;
  rt.pc = pc;
  const protocol::SymbolicCall record = heddle_sym_call;  // others may run meanwhile
  const TermId length = argument_term(function, 2);
  stay_inside(objects.to, to, length, n, pc);
  if (from) stay_inside(objects.from, from, length, n, pc);
  heddle_sym_call = record;
}

// Is the character one that `test` accepts? One branch, whatever the table.
bool belongs(const Byte& b, int (*test)(int), const void* pc) {
  if (b.term == kNoTerm) return test(b.value) != 0;
  TermStore& s = inputs->terms();
  TermId member = s.truth(false);
  for (unsigned low = 0; low < 256;) {
    if (!test(static_cast<int>(low))) {
      ++low;
      continue;
    }
    unsigned high = low;
    while (high < 255 && test(static_cast<int>(high + 1))) ++high;
    const TermId in =
        s.make(TermKind::kUle, s.make(TermKind::kSub, b.term, s.constant(8, low)), s.constant(8, high - low));
    member = s.make(TermKind::kOr, member, in);
    low = high + 1;
  }
  return inputs->decide_truth(member, test(b.value) != 0, pc);
}

struct Number {
  TermId term;  // 64 bits
  std::uint64_t value = 0;
  const char* end = nullptr;
  bool overflow = false;
};

// The value of a digit, or nothing. Which kind of digit it is, is branched on; which one, is not.
bool take_digit(const Byte& b, unsigned base, std::uint64_t& value, TermId& term, const void* pc) {
  TermStore& s = inputs->terms();
  const auto accept = [&](unsigned char low, unsigned count, unsigned first) {
    if (count == 0 || !between(b, low, static_cast<unsigned char>(low + count - 1), pc)) return false;
    value = b.value - low + first;
    term = b.term == kNoTerm ? kNoTerm
                             : s.make(TermKind::kAdd,
                                      s.extend(TermKind::kZext, s.make(TermKind::kSub, b.term, s.constant(8, low)), 64),
                                      s.constant(64, first));
    return true;
  };
  return accept('0', std::min(base, 10u), 0) ||
         (base > 10 && (accept('a', base - 10, 10) || accept('A', base - 10, 10)));
}

Number read_number(const char* text, unsigned base, std::uint64_t most_positive, std::uint64_t most_negative,
                   const void* pc) {
  TermStore& s = inputs->terms();
  const char* p = text;
  while (belongs(byte_at(p), isspace, pc)) ++p;
  const bool minus = equal(byte_at(p), '-', pc);
  if (minus || equal(byte_at(p), '+', pc)) ++p;
  const auto has_prefix = [&] {
    if (!equal(byte_at(p), '0', pc) || !(equal(byte_at(p + 1), 'x', pc) || equal(byte_at(p + 1), 'X', pc)))
      return false;
    std::uint64_t digit;
    TermId term;
    return take_digit(byte_at(p + 2), 16, digit, term, pc);
  };
  if ((base == 0 || base == 16) && has_prefix()) {
    p += 2;
    base = 16;
  }
  if (base == 0) base = equal(byte_at(p), '0', pc) ? 8 : 10;
  const std::uint64_t most = minus ? most_negative : most_positive;
  Number out;
  TermId total = s.constant(64, 0);
  std::uint64_t digit = 0;
  TermId digit_term;
  bool any = false;
  for (; take_digit(byte_at(p), base, digit, digit_term, pc); ++p) {
    any = true;
    const TermId d = digit_term != kNoTerm ? digit_term : s.constant(64, digit);
    // total * base + d <= most, without overflow on the way.
    const TermId beyond_digit = s.make(TermKind::kSub, s.constant(64, most), d);
    const TermId room = s.make(TermKind::kUle, total, s.make(TermKind::kUdiv, beyond_digit, s.constant(64, base)));
    const bool fits = !out.overflow && digit <= most && out.value <= (most - digit) / base;
    if (out.overflow || !inputs->decide_truth(room, fits, pc)) {
      out.overflow = true;
      continue;
    }
    total = s.make(TermKind::kAdd, s.make(TermKind::kMul, total, s.constant(64, base)), d);
    out.value = out.value * base + digit;
  }
  out.end = any ? p : text;
  if (out.overflow) {
    out.value = most;
    total = s.constant(64, most);
  }
  out.term = minus ? s.make(TermKind::kNeg, total) : total;
  if (minus) out.value = 0 - out.value;
  return out;
}

std::uint64_t number_call(const void* function, const char* text, char** end, int base, bool is_signed,
                          const void* pc) {
  EngineScope scope;
  plain_arguments(function, {address(text), address(end), static_cast<std::uint64_t>(base)}, pc);
  const Number n = read_number(text, static_cast<unsigned>(base), is_signed ? LONG_MAX : ULONG_MAX,
                               is_signed ? std::uint64_t{1} << 63 : ULONG_MAX, pc);
  if (n.overflow) errno = ERANGE;
  if (end) {
    *end = const_cast<char*>(n.end);
    inputs->memory.store(inputs->terms(), address(end), sizeof *end, kNoTerm);
  }
  give_result(function, n.term);
  return n.value;
}

int small_number_call(const void* function, const char* text, const void* pc) {
  EngineScope scope;
  plain_arguments(function, {address(text)}, pc);
  const Number n = read_number(text, 10, LONG_MAX, std::uint64_t{1} << 63, pc);
  give_result(function, inputs->terms().extract(n.term, 0, 32));
  return static_cast<int>(n.value);
}

// isalpha and its like: 1 or 0, as a term.
int classified(const void* function, int c, int (*test)(int)) {
  const TermId t = argument_term(function, 0);
  if (!on() || t == kNoTerm) return test(c);
  EngineScope scope;
  heddle_sym_call.callee = nullptr;
  TermStore& s = inputs->terms();
  TermId member = s.truth(false);
  for (int low = 0; low < 256; ++low) {
    if (!test(low)) continue;
    int high = low;
    while (high < 255 && test(high + 1)) ++high;
    const TermId from = s.make(TermKind::kSub, t, s.constant(32, static_cast<unsigned>(low)));
    member =
        s.make(TermKind::kOr, member, s.make(TermKind::kUle, from, s.constant(32, static_cast<unsigned>(high - low))));
    low = high;
  }
  give_result(function, s.extend(TermKind::kZext, member, 32));
  return test(c) != 0;
}

int converted(const void* function, int c, int (*convert)(int), unsigned char low, int difference) {
  const TermId t = argument_term(function, 0);
  if (!on() || t == kNoTerm) return convert(c);
  EngineScope scope;
  heddle_sym_call.callee = nullptr;
  TermStore& s = inputs->terms();
  const TermId letter = s.make(TermKind::kUle, s.make(TermKind::kSub, t, s.constant(32, low)), s.constant(32, 25));
  give_result(function, s.ite(letter, s.make(TermKind::kAdd, t, s.constant(32, static_cast<unsigned>(difference))), t));
  return convert(c);
}

}  // namespace

#define SELF(name) reinterpret_cast<const void*>(&name)

extern "C" {

void* heddle_sym_memcpy(void* to, const void* from, std::size_t n) {
  check_ranges(SELF(heddle_sym_memcpy), to, from, n, PC);
  __tsan_read_range(const_cast<void*>(from), n);
  __tsan_write_range(to, n);
  memcpy(to, from, n);
  if (!on()) return to;
  EngineScope scope;
  plain_arguments(SELF(heddle_sym_memcpy), {address(to), address(from), n}, PC);
  inputs->memory.copy(address(to), address(from), n);
  return to;
}

void* heddle_sym_memmove(void* to, const void* from, std::size_t n) {
  check_ranges(SELF(heddle_sym_memmove), to, from, n, PC);
  __tsan_read_range(const_cast<void*>(from), n);
  __tsan_write_range(to, n);
  memmove(to, from, n);
  if (!on()) return to;
  EngineScope scope;
  plain_arguments(SELF(heddle_sym_memmove), {address(to), address(from), n}, PC);
  inputs->memory.copy(address(to), address(from), n);
  return to;
}

void* heddle_sym_memset(void* to, int value, std::size_t n) {
  check_ranges(SELF(heddle_sym_memset), to, nullptr, n, PC);
  __tsan_write_range(to, n);
  memset(to, value, n);
  if (!on()) return to;
  EngineScope scope;
  const TermId t = argument_term(SELF(heddle_sym_memset), 1);
  heddle_sym_call.callee = nullptr;
  const TermId byte = t == kNoTerm ? kNoTerm : inputs->terms().extract(t, 0, 8);
  for (std::size_t i = 0; i < n; ++i) inputs->memory.store(inputs->terms(), address(to) + i, 1, byte);
  return to;
}

int heddle_sym_memcmp(const void* a, const void* b, std::size_t n) {
  __tsan_read_range(const_cast<void*>(a), n);
  __tsan_read_range(const_cast<void*>(b), n);
  if (!on()) return memcmp(a, b, n);
  EngineScope scope;
  plain_arguments(SELF(heddle_sym_memcmp), {address(a), address(b), n}, PC);
  return compare_memory(SELF(heddle_sym_memcmp), a, b, n);
}

int heddle_sym_bcmp(const void* a, const void* b, std::size_t n) {
  __tsan_read_range(const_cast<void*>(a), n);
  __tsan_read_range(const_cast<void*>(b), n);
  if (!on()) return memcmp(a, b, n);
  EngineScope scope;
  plain_arguments(SELF(heddle_sym_bcmp), {address(a), address(b), n}, PC);
  return compare_memory(SELF(heddle_sym_bcmp), a, b, n);
}

void* heddle_sym_memchr(const void* s, int c, std::size_t n) {
  if (!on()) return const_cast<void*>(memchr(s, c, n));
  EngineScope scope;
  plain_arguments(SELF(heddle_sym_memchr), {address(s), static_cast<std::uint32_t>(c), n}, PC);
  for (std::size_t i = 0; i < n; ++i) {
    const char* p = static_cast<const char*>(s) + i;
    if (equal(byte_at(p), static_cast<unsigned char>(c), PC)) return const_cast<char*>(p);
  }
  return nullptr;
}

std::size_t heddle_sym_strlen(const char* s) {
  const Objects objects = take_objects();
  if (!on()) return strlen(s);
  EngineScope scope;
  plain_arguments(SELF(heddle_sym_strlen), {address(s)}, PC);
  return length_of(s, SIZE_MAX, objects.from, PC);
}

std::size_t heddle_sym_strnlen(const char* s, std::size_t most) {
  const Objects objects = take_objects();
  if (!on()) return strnlen(s, most);
  EngineScope scope;
  plain_arguments(SELF(heddle_sym_strnlen), {address(s), most}, PC);
  return length_of(s, most, objects.from, PC);
}

int heddle_sym_strcmp(const char* a, const char* b) {
  if (!on()) return strcmp(a, b);
  EngineScope scope;
  plain_arguments(SELF(heddle_sym_strcmp), {address(a), address(b)}, PC);
  return compare_strings(a, b, SIZE_MAX, PC);
}

int heddle_sym_strncmp(const char* a, const char* b, std::size_t n) {
  if (!on()) return strncmp(a, b, n);
  EngineScope scope;
  plain_arguments(SELF(heddle_sym_strncmp), {address(a), address(b), n}, PC);
  return compare_strings(a, b, n, PC);
}

char* heddle_sym_strchr(const char* s, int c) {
  if (!on()) return const_cast<char*>(strchr(s, c));
  EngineScope scope;
  plain_arguments(SELF(heddle_sym_strchr), {address(s), static_cast<std::uint32_t>(c)}, PC);
  for (;; ++s) {
    if (equal(byte_at(s), static_cast<unsigned char>(c), PC)) return const_cast<char*>(s);
    if (equal(byte_at(s), 0, PC)) return nullptr;
  }
}

char* heddle_sym_strrchr(const char* s, int c) {
  if (!on()) return const_cast<char*>(strrchr(s, c));
  EngineScope scope;
  plain_arguments(SELF(heddle_sym_strrchr), {address(s), static_cast<std::uint32_t>(c)}, PC);
  for (std::size_t n = length_of(s, SIZE_MAX, {}, PC) + 1; n-- > 0;)
    if (equal(byte_at(s + n), static_cast<unsigned char>(c), PC)) return const_cast<char*>(s + n);
  return nullptr;
}

char* heddle_sym_strncpy(char* to, const char* from, std::size_t most) {
  const Objects objects = take_objects();
  if (!on()) return strncpy(to, from, most);
  std::size_t n = 0;
  {
    EngineScope scope;
    plain_arguments(SELF(heddle_sym_strncpy), {address(to), address(from), most}, PC);
    n = length_of(from, most, objects.from, PC);
    stay_inside(objects.to, to, most, PC);
  }
  heddle_sym_memcpy(to, from, n);
  heddle_sym_memset(to + n, 0, most - n);
  return to;
}

char* heddle_sym_strcpy(char* to, const char* from) {
  const Objects objects = take_objects();
  if (!on()) return strcpy(to, from);
  std::size_t n = 0;
  {
    EngineScope scope;
    plain_arguments(SELF(heddle_sym_strcpy), {address(to), address(from)}, PC);
    n = length_of(from, SIZE_MAX, objects.from, PC);
    stay_inside(objects.to, to, n + 1, PC);
  }
  heddle_sym_memcpy(to, from, n + 1);
  return to;
}

char* heddle_sym_strcat(char* to, const char* from) {
  const Objects objects = take_objects();
  if (!on()) return strcat(to, from);
  std::size_t n = 0;
  {
    EngineScope scope;
    plain_arguments(SELF(heddle_sym_strcat), {address(to), address(from)}, PC);
    n = length_of(to, SIZE_MAX, objects.to, PC);
  }
  heddle_sym_bounds[0] = objects.to;
  heddle_sym_bounds[1] = objects.from;
  heddle_sym_strcpy(to + n, from);
  return to;
}

// A function without tracking has left a text there.
void heddle_sym_text_end(const char* text, const void* base, std::uint64_t extent) {
  if (!on()) return;
  EngineScope scope;
  const Bounds object{address(base), extent};
  stay_inside(object, text, 0, PC);
  stay_inside(object, text, strnlen(text, object.base + extent - address(text)) + 1, PC);
}

// A length that depends on inputs, of memory that begins at `p`.
void heddle_sym_length(std::uint32_t t, std::uint64_t length, const void* p, const void* base, std::uint64_t extent) {
  if (t == 0 || !on()) return;
  EngineScope scope;
  stay_inside({address(base), extent}, p, TermId(t), length, PC);
}

// A range that leaves its object, unless it is empty.
void heddle_sym_beyond(const void* p, std::uint64_t size, const void* base, std::uint64_t extent) {
  if (!on() || size == 0) return;
  EngineScope scope;
  stay_inside({address(base), extent}, p, size, PC);
}

long heddle_sym_strtol(const char* s, char** end, int base) {
  return on() ? static_cast<long>(number_call(SELF(heddle_sym_strtol), s, end, base, true, PC)) : strtol(s, end, base);
}
long long heddle_sym_strtoll(const char* s, char** end, int base) {
  return on() ? static_cast<long long>(number_call(SELF(heddle_sym_strtoll), s, end, base, true, PC))
              : strtoll(s, end, base);
}
unsigned long heddle_sym_strtoul(const char* s, char** end, int base) {
  return on() ? number_call(SELF(heddle_sym_strtoul), s, end, base, false, PC) : strtoul(s, end, base);
}
unsigned long long heddle_sym_strtoull(const char* s, char** end, int base) {
  return on() ? number_call(SELF(heddle_sym_strtoull), s, end, base, false, PC) : strtoull(s, end, base);
}
int heddle_sym_atoi(const char* s) { return on() ? small_number_call(SELF(heddle_sym_atoi), s, PC) : atoi(s); }
long heddle_sym_atol(const char* s) {
  return on() ? static_cast<long>(number_call(SELF(heddle_sym_atol), s, nullptr, 10, true, PC)) : atol(s);
}
long long heddle_sym_atoll(const char* s) {
  return on() ? static_cast<long long>(number_call(SELF(heddle_sym_atoll), s, nullptr, 10, true, PC)) : atoll(s);
}

#define DEFINE_CLASS(name) \
  int heddle_sym_##name(int c) { return classified(SELF(heddle_sym_##name), c, name); }
DEFINE_CLASS(isalpha)
DEFINE_CLASS(isdigit)
DEFINE_CLASS(isalnum)
DEFINE_CLASS(isspace)
DEFINE_CLASS(isupper)
DEFINE_CLASS(islower)
DEFINE_CLASS(isxdigit)
DEFINE_CLASS(ispunct)
DEFINE_CLASS(isprint)
int heddle_sym_toupper(int c) { return converted(SELF(heddle_sym_toupper), c, toupper, 'a', 'A' - 'a'); }
int heddle_sym_tolower(int c) { return converted(SELF(heddle_sym_tolower), c, tolower, 'A', 'a' - 'A'); }
}

namespace heddle::runtime {

bool takes_terms(const void* function) {
  static const void* const kFunctions[] = {
      SELF(heddle_sym_memcpy),   SELF(heddle_sym_memmove), SELF(heddle_sym_memset),   SELF(heddle_sym_memcmp),
      SELF(heddle_sym_bcmp),     SELF(heddle_sym_memchr),  SELF(heddle_sym_strlen),   SELF(heddle_sym_strnlen),
      SELF(heddle_sym_strcmp),   SELF(heddle_sym_strncmp), SELF(heddle_sym_strchr),   SELF(heddle_sym_strrchr),
      SELF(heddle_sym_strcpy),   SELF(heddle_sym_strncpy), SELF(heddle_sym_strcat),   SELF(heddle_sym_strtol),
      SELF(heddle_sym_strtoll),  SELF(heddle_sym_strtoul), SELF(heddle_sym_strtoull), SELF(heddle_sym_atoi),
      SELF(heddle_sym_atol),     SELF(heddle_sym_atoll),   SELF(heddle_sym_isalpha),  SELF(heddle_sym_isdigit),
      SELF(heddle_sym_isalnum),  SELF(heddle_sym_isspace), SELF(heddle_sym_isupper),  SELF(heddle_sym_islower),
      SELF(heddle_sym_isxdigit), SELF(heddle_sym_ispunct), SELF(heddle_sym_isprint),  SELF(heddle_sym_toupper),
      SELF(heddle_sym_tolower),  SELF(pthread_create),     SELF(heddle_assume),       SELF(klee_assume),
      SELF(__VERIFIER_assume),   SELF(__VERIFIER_assert)};
  for (const void* known : kFunctions)
    if (known == function) return true;
  return false;
}

}  // namespace heddle::runtime
