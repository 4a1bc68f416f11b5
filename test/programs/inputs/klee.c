// A program written for KLEE: a number, a structure and a text, with assumptions. x in 11 .. 19 is three ways (below 15, 15,
// above); 15 asks for the structure, and that for the text.
// expect: --all classes=5 failed=1 assertion
// configurations: one
#include <assert.h>
#include <stddef.h>
#include <string.h>

void klee_make_symbolic(void *address, size_t size, const char *name);
void klee_assume(unsigned long condition);

struct point {
  short x, y;
};

int main(void) {
  int x;
  struct point p;
  char word[4];
  klee_make_symbolic(&x, sizeof x, "x");
  klee_make_symbolic(&p, sizeof p, "p");
  klee_make_symbolic(word, sizeof word, "word");
  klee_assume((x > 10) & (x < 20));
  if (x < 15) return 0;
  if (x != 15) return 0;
  if (p.x * 100 + p.y != -4321) return 0;
  if (memcmp(word, "key", 4) != 0) return 0;
  assert(0);
}
