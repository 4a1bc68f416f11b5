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

/* Registers a test; use HEDDLE_TEST. */
struct heddle_test {
  const char* name;
  void (*function)(void);
  struct heddle_test* next;
};
void heddle_register_test(struct heddle_test* test);

/* HEDDLE_TEST(name) { ... }: a test explored on its own, instead of main:  heddle run prog --test=name */
#define HEDDLE_TEST(test_name)                                                                    \
  static void heddle_test_##test_name(void);                                                      \
  static struct heddle_test heddle_test_entry_##test_name = {#test_name, heddle_test_##test_name, 0}; \
  __attribute__((constructor)) static void heddle_test_register_##test_name(void) {               \
    heddle_register_test(&heddle_test_entry_##test_name);                                         \
  }                                                                                               \
  static void heddle_test_##test_name(void)

#ifdef __cplusplus
}
#endif

#endif
