// Digits become a number whose value is a term: 42 is found.
// expect: --all failed=1 assertion
// configurations: one
#include <heddle/heddle.h>
#include <stdlib.h>

int main(void) {
  char text[3];
  klee_make_symbolic(text, 2, "text");
  text[2] = 0;
  klee_assume(text[0] >= '0');
  klee_assume(text[0] <= '9');
  klee_assume(text[1] >= '0');
  klee_assume(text[1] <= '9');
  if (atoi(text) == 42) heddle_fail("found");
  return 0;
}
