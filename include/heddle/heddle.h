/* What a program under test may say to Heddle, from C and C++. Link with heddle-cc or heddle-c++; in an executable
   started without heddle the functions behave as their comments say under "alone". */
#ifndef HEDDLE_HEDDLE_H
#define HEDDLE_HEDDLE_H

#ifdef __cplusplus
extern "C" {
#endif

/* Executions in which the condition is false are of no interest: the calling thread stops, and the execution is
   not counted. Alone: nothing. */
void heddle_assume(int condition);

/* Any of 0 .. n-1, all of them explored; n is at least 1 and at most 128. Alone: 0. */
int heddle_choose(int n);

/* Fails the calling thread, with the text as the message. Alone: prints it and aborts. */
void heddle_fail(const char* text);
#define heddle_assert(condition) ((condition) ? (void)0 : heddle_fail("assertion " #condition " failed"))

/* An input of 1 to 64 bits: every value that makes a difference is explored (docs/inputs.md). The name is for reports.
   In C++: heddle::input<int>("n"). Alone: 0. */
unsigned long long heddle_input(const char* name, int bits, int is_signed);
#define heddle_input_int(name) ((int)heddle_input((name), 32, 1))
#define heddle_input_uint(name) ((unsigned)heddle_input((name), 32, 0))
#define heddle_input_char(name) ((char)heddle_input((name), 8, 1))
#define heddle_input_long(name) ((long)heddle_input((name), 64, 1))

/* Fills memory with bytes that are inputs. Alone: nothing. */
void heddle_input_bytes(void* buffer, unsigned long length, const char* name);

/* The same by other names. */
void klee_make_symbolic(void* buffer, unsigned long length, const char* name);
void klee_assume(unsigned long condition);
void __VERIFIER_assume(int condition);
void __VERIFIER_assert(int condition);

/* In front of a function: data races with an access in it are known and no findings. What races is explored all the
   same, and the verdict says how many races were left out. */
#define HEDDLE_NO_RACE __attribute__((noinline, section("heddle_no_race")))

/* Outside of functions: HEDDLE_INVARIANT(cache.hits + cache.misses == cache.calls || locked(cache.mutex));
   holds in every global state that the program can reach (docs/properties.md). */
#define HEDDLE_INVARIANT(...) HEDDLE_INVARIANT_AT(__COUNTER__, __LINE__, #__VA_ARGS__)
#define HEDDLE_INVARIANT_AT(number, line, text) HEDDLE_INVARIANT_ENTRY(number, line, text)
#define HEDDLE_INVARIANT_ENTRY(number, line, text)                                                    \
  __attribute__((section("heddle_invariants"), used)) static const char heddle_invariant_##number[] = \
      __FILE__ ":" #line "\n" text

/* Registers a test; use HEDDLE_TEST. */
struct heddle_test {
  const char* name;
  void (*function)(void);
  struct heddle_test* next;
};
void heddle_register_test(struct heddle_test* test);

/* HEDDLE_TEST(name) { ... }: a test explored on its own, instead of main:  heddle run prog --test=name */
#define HEDDLE_TEST(test_name)                                                                        \
  static void heddle_test_##test_name(void);                                                          \
  static struct heddle_test heddle_test_entry_##test_name = {#test_name, heddle_test_##test_name, 0}; \
  __attribute__((constructor)) static void heddle_test_register_##test_name(void) {                   \
    heddle_register_test(&heddle_test_entry_##test_name);                                             \
  }                                                                                                   \
  static void heddle_test_##test_name(void)

#ifdef __cplusplus
}

#include <type_traits>

namespace heddle {

// Integers, bool and enumerations.
template <class T>
T input(const char* name) {
  static_assert(std::is_integral_v<T> || std::is_enum_v<T>, "an input is a number; use input_bytes for structures");
  const unsigned long long value = heddle_input(name, std::is_same_v<T, bool> ? 1 : 8 * static_cast<int>(sizeof(T)),
                                                static_cast<T>(-1) < static_cast<T>(0));
  if constexpr (std::is_same_v<T, bool>)
    return value != 0;
  else
    return static_cast<T>(value);
}

inline void input_bytes(void* buffer, unsigned long length, const char* name) {
  heddle_input_bytes(buffer, length, name);
}

}  // namespace heddle
#endif

#endif
