// The string is "ok" in one of its classes: 'o' and 'k' and the end, each met or not.
// expect: --all failed=1 assertion
// configurations: one
#include <heddle/heddle.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char word[4], copy[4];
  klee_make_symbolic(word, sizeof word, "word");
  word[3] = 0;
  memcpy(copy, word, sizeof copy);
  if (strcmp(copy, "ok") == 0) heddle_assert(strlen(word) != 2);
  return 0;
}
