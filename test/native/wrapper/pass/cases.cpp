// What the pass must announce, what it must leave out, and that the replaced instructions still compute the same.
// Compiled through the pass at -O0 and -O2 and linked with log_stub.cpp.
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <set>
#include <vector>

#include "log_stub.h"

namespace {

int failures = 0;

void expect(bool holds, const char* what, int line) {
  if (holds) return;
  std::fprintf(stderr, "cases.cpp:%d: %s\n", line, what);
  ++failures;
}
#define EXPECT(condition) expect(condition, #condition, __LINE__)

}  // namespace

struct Big { long words[5]; };
struct __attribute__((packed)) Odd { char c; int i; long l; short s; };
struct Base { virtual ~Base() = default; virtual int value() { return 1; } };
struct Derived : Base { int value() override { return 2; } };
struct Pair { std::uint64_t a, b; bool operator==(const Pair&) const = default; };

// With external linkage, so that the optimiser cannot know their values.
std::uint8_t g1 = 1;
std::uint16_t g2 = 1;
int counter = 0;
std::uint64_t g8 = 8;
volatile int device = 5;
bool flag = false;
int guarded = 7;
Big big_a, big_b;
Odd odd;
long double wide = 1.5L;
const int table[4] = {1, 2, 3, 4};
Derived derived;
Base* object = &derived;
long result = 0;
char text_a[64], text_b[64];
std::atomic<std::uint8_t> a8{0};
std::atomic<std::uint16_t> a16{0};
std::atomic<int> a32{0};
std::atomic<std::uint64_t> a64{0};
std::atomic<int*> ap{&counter};
std::atomic<double> ad{1.0};
std::atomic<bool> ab{false};
std::atomic_flag af = ATOMIC_FLAG_INIT;
std::atomic<Pair> a128{Pair{1, 2}};
int plain_int = 10;
float plain_float = 1.5F;
unsigned plain_unsigned = 5;
__attribute__((noinline)) long by_value(Big b) { return b.words[1]; }

namespace {

__attribute__((noinline)) void increment() { ++counter; }
__attribute__((noinline)) void sizes() { g1 = static_cast<std::uint8_t>(g2 + g8); }
__attribute__((noinline)) void volatile_twice() { device; device; }
__attribute__((noinline)) void guarded_read() { int r = 0; if (flag) r = guarded; result = r; }
__attribute__((noinline)) void unaligned() { odd.l = odd.i; odd.s = 3; }
__attribute__((noinline)) void extended() { wide = wide + 1; }
__attribute__((noinline)) void copy_struct() { big_a = big_b; }
__attribute__((noinline)) void fill() { std::memset(text_a, 'x', sizeof text_a); }
__attribute__((noinline)) void move() { std::memmove(text_b, text_a, sizeof text_a); }
__attribute__((noinline)) void call_virtual() { result = object->value(); }
__attribute__((noinline)) int opaque(int value) {
  asm volatile("" : "+r"(value));
  return value;
}
__attribute__((noinline)) void locals() {
  int a[4] = {1, 2, 3, 4};
  for (int i = 0; i < 4; ++i) a[i] += opaque(a[3 - i]);
  opaque(a[opaque(1)]);
}
__attribute__((noinline)) void constants() { opaque(table[opaque(2)]); }
__attribute__((disable_sanitizer_instrumentation, noinline)) void unwatched() { ++counter; }
long sum_of(Big b) { return b.words[0] + b.words[4]; }
__attribute__((noinline)) void pass_by_value() { result = by_value(big_a); }

void all_rmw() {
  a8.fetch_add(3);
  a16.fetch_sub(1);
  a32.fetch_or(6);
  a32.fetch_and(3);
  a32.fetch_xor(8);
  a64.exchange(77);
  ap.fetch_add(1);
  __atomic_fetch_nand(&plain_int, 3, __ATOMIC_SEQ_CST);
}

void test_plain() {
  auto c = log_stub::during(increment);
  EXPECT(c["read4"] == 1 && c["write4"] == 1);
  EXPECT(counter == 1);
  c = log_stub::during(sizes);
  EXPECT(c["read2"] == 1 && c["read8"] == 1 && c["write1"] == 1);
  EXPECT(g1 == 9);
  c = log_stub::during(volatile_twice);
  EXPECT(c["read4"] == 2);
  c = log_stub::during(guarded_read);   // no load of `guarded` may be speculated
  EXPECT(c["read4"] == 0 && c["read1"] == 1);
  c = log_stub::during(unaligned);
  EXPECT(c["unaligned_read4"] == 1 && c["unaligned_write8"] == 1 && c["unaligned_write2"] == 1);
  EXPECT(odd.s == 3);
  c = log_stub::during(extended);
  EXPECT(c["read_range"] == 1 && c["write_range"] == 1);
  c = log_stub::during(locals);   // it has a loop, too
  c.erase("turn");
  c.erase("enter_loop");
  EXPECT(c.empty());
  c = log_stub::during(constants);
  EXPECT(c.empty());
  c = log_stub::during(unwatched);
  EXPECT(c.empty());
}

void test_ranges() {
  big_b.words[4] = 9;
  auto c = log_stub::during(copy_struct);
  EXPECT(c["memcpy"] + c["memmove"] == 1);
  EXPECT(big_a.words[4] == 9);
  c = log_stub::during(fill);
  EXPECT(c["memset"] == 1);
  c = log_stub::during(move);
  EXPECT(c["memmove"] + c["memcpy"] == 1);
  EXPECT(text_b[63] == 'x');
  big_a.words[1] = 4;
  c = log_stub::during(pass_by_value);
  EXPECT(c["memcpy"] + c["read_range"] >= 1);
  EXPECT(result == 4);
  EXPECT(sum_of(big_a) == 9);
}

void test_vptr() {
  auto c = log_stub::during(call_virtual);
  EXPECT(c["vptr_read"] + c["read8"] >= 1);
  EXPECT(result == 2);
}

void test_rmw() {
  a16 = 5;
  auto c = log_stub::during(all_rmw);
  EXPECT(c["add8"] == 1 && c["sub16"] == 1 && c["or32"] == 1 && c["and32"] == 1 && c["xor32"] == 1);
  EXPECT(c["exchange64"] == 1 && c["add64"] == 1 && c["nand32"] == 1);
  EXPECT(a8 == 3 && a16 == 4 && a32 == 10 && a64 == 77 && ap == &counter + 1);
  EXPECT(plain_int == ~(10 & 3));
}

void test_rmw_loops() {
  plain_int = 10;
  auto c = log_stub::during([] {
    result = __atomic_fetch_max(&plain_int, 20, __ATOMIC_SEQ_CST);
    __atomic_fetch_min(&plain_int, 3, __ATOMIC_ACQ_REL);
    __atomic_fetch_max(&plain_unsigned, 4000000000U, __ATOMIC_RELAXED);
    __atomic_fetch_add(&plain_float, 2.25F, __ATOMIC_SEQ_CST);
  });
  EXPECT(result == 10 && plain_int == 3 && plain_unsigned == 4000000000U && plain_float == 3.75F);
  EXPECT(c["load32"] == 4 && c["cas32"] == 4);
}

void test_atomics() {
  auto c = log_stub::during([] {
    ad.store(2.5);
    ab.store(true, std::memory_order_release);
    result = ap.load() == &counter + 1 && ab.load(std::memory_order_acquire);
  });
  EXPECT(c["store64"] == 1 && c["store8"] == 1 && c["load64"] == 1 && c["load8"] == 1);
  EXPECT(result == 1 && ad.load() == 2.5);
  c = log_stub::during([] {
    int expected = 1;
    const bool failed = a32.compare_exchange_strong(expected, 2);
    const bool swapped = a32.compare_exchange_weak(expected, 42);
    result = (failed ? 100 : 0) + (swapped ? 10 : 0) + (expected == 10 ? 1 : 0);
  });
  EXPECT(c["cas32"] == 2 && result == 11 && a32 == 42);
  c = log_stub::during([] { result = af.test_and_set() ? 1 : 2; af.clear(); });
  EXPECT(c["exchange8"] == 1 && c["store8"] == 1 && result == 2);
  c = log_stub::during([] {
    std::atomic_thread_fence(std::memory_order_seq_cst);
    std::atomic_signal_fence(std::memory_order_seq_cst);
  });
  EXPECT(c["thread_fence"] == 1 && c["signal_fence"] == 1);
}

void test_wide_atomics() {
  auto c = log_stub::during([] {
    Pair expected{1, 2};
    const bool swapped = a128.compare_exchange_strong(expected, Pair{3, 4});
    const bool again = a128.compare_exchange_strong(expected, Pair{5, 6});
    result = (swapped ? 10 : 0) + (again ? 1 : 0) + (expected == Pair{3, 4} ? 100 : 0);
    a128.store(Pair{7, 8});
  });
  EXPECT(c["cas128"] == 2 && c["store128"] == 1 && result == 110);
  EXPECT((a128.load() == Pair{7, 8}));
}

// --- turns of loops ---

// How many different states were handed over, at so many turns.
struct Turns {
  std::size_t all, different;
  bool operator==(const Turns&) const = default;
};
Turns turns_of(void (*body)()) {
  a32 = 0;
  log_stub::during(body);
  const std::vector<std::uint64_t> all = log_stub::turns();
  return {all.size(), std::set<std::uint64_t>(all.begin(), all.end()).size()};
}

struct Guard {
  explicit Guard(int value) : value_(value) {}
  ~Guard() { a16.store(static_cast<std::uint16_t>(value_)); }
  int value_;
};
struct Counter {
  long other;
  int n;
};
__attribute__((noinline)) void count(int& n) { ++n; }
int square(int n) { return n * n; }

void test_turns_that_carry_nothing() {
  EXPECT((turns_of([] { while (a32.fetch_add(1) < 3) {} }) == Turns{4, 1}));
  // Variables of the body are gone at the head, whatever became of them.
  EXPECT((turns_of([] {
           while (a32.fetch_add(1) < 3) {
             int dead = a32.load();
             count(dead);
             result = dead;
           }
         }) == Turns{4, 1}));
  EXPECT((turns_of([] {
           for (;;) {
             int expected = 100;
             if (a32.compare_exchange_strong(expected, 0) || a32.fetch_add(1) == 3) break;
           }
         }) == Turns{4, 1}));
  EXPECT((turns_of([] { while (a32.fetch_add(1) < 3) Guard guard(a32.load()); }) == Turns{4, 1}));
  // So are those that are written before they are read.
  EXPECT((turns_of([] {
           int found;
           do found = a32.fetch_add(1);
           while (found < 3);
           result = found;
         }) == Turns{4, 1}));
}

void test_turns_that_carry_something() {
  EXPECT((turns_of([] {
           int n = 0;
           while (a32.fetch_add(1) < 3) ++n;
           result = n;
         }) == Turns{4, 4}));
  EXPECT((turns_of([] {
           Counter c{5, 0};
           while (a32.fetch_add(1) < 3) count(c.n);
           result = c.n;
         }) == Turns{4, 4}));
  EXPECT((turns_of([] {
           long double d = 0;
           while (a32.fetch_add(1) < 3) d += 0.25L;
           wide = d;
         }) == Turns{4, 4}));
}

// Without optimisation nobody knows that the function only computes.
void test_loops_that_only_compute() {
  auto c = log_stub::during([] {
    int sum = 0;
    for (int i = 0; i < 100; ++i) sum += square(i);
    result = sum;
  });
#ifdef __OPTIMIZE__
  EXPECT(c["turn"] == 0 && c["enter_loop"] == 0);
#else
  EXPECT(c["turn"] == 101 && c["enter_loop"] == 1);
#endif
}

}  // namespace

int main() {
  test_turns_that_carry_nothing();
  test_turns_that_carry_something();
  test_loops_that_only_compute();
  test_plain();
  test_ranges();
  test_vptr();
  test_rmw();
  test_rmw_loops();
  test_atomics();
  test_wide_atomics();
  if (failures == 0) std::puts("ok");
  return failures == 0 ? 0 : 1;
}
