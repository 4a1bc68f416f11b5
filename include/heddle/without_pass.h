/* Included in front of every source that is compiled through the wrappers by a compiler that cannot load Heddle's pass.
   ThreadSanitizer's instrumentation comes behind the optimiser and does not look at assembly: the program says so when
   it starts, and the verdict says so, too. */
#if !defined(HEDDLE_WITHOUT_PASS_H) && !defined(__ASSEMBLER__)
#define HEDDLE_WITHOUT_PASS_H

#ifdef __cplusplus
extern "C" {
#endif

void heddle_compiled_without_pass(const char* source, int optimised) __attribute__((weak));

__attribute__((constructor, used)) static void heddle_say_compiled_without_pass(void) {
#ifdef __OPTIMIZE__
  const int optimised = 1;
#else
  const int optimised = 0;
#endif
  if (heddle_compiled_without_pass) heddle_compiled_without_pass(__BASE_FILE__, optimised);
}

#ifdef __cplusplus
}
#endif

#endif
