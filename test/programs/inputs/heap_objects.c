// The object that an address belongs to is that of the pointer it was made from, wherever the inputs at hand lead: into
// another block (CASE 0, 1), before the first (2). The pointer may have been kept in memory (3), or come by argument (4).
// expect: --all index-out-of-range findings=1
// expect: --all -D CASE=1 index-out-of-range assertion findings=2 classes=11
// expect: --all -D CASE=1 --algorithm=source-dpor index-out-of-range assertion findings=2 classes=11
// expect: --all -D CASE=2 index-out-of-range assertion findings=2 classes=11
// expect: --all -D CASE=3 index-out-of-range assertion findings=2 classes=11
// expect: --all -D CASE=4 index-out-of-range assertion findings=2 classes=11
// configurations: one
#include <assert.h>
#include <heddle/heddle.h>
#include <stdlib.h>

#ifndef CASE
#define CASE 0
#endif

static int *volatile kept;

__attribute__((noinline)) static int at(const volatile int *numbers, int i) { return numbers[i]; }

int main(void) {
  const int i = heddle_input_int("i");
  volatile int *other = malloc(400), *numbers = malloc(40);
  for (int k = 0; k < 100; k++) other[k] = k;
  for (int k = 0; k < 10; k++) numbers[k] = k;
  int found = 0;
  if (CASE == 0) {
    heddle_assume(i >= 0 && i < 10);
    found = numbers[i - 60];
  } else if (CASE == 1) {
    heddle_assume(i >= 0 && i < 70);
    found = numbers[i - 60];
  } else if (CASE == 2) {
    found = numbers[(i - 48) % 10];
  } else if (CASE == 3) {
    heddle_assume(i >= 50 && i < 80);
    kept = (int *)numbers + (i - 60);
    found = *kept;
  } else {
    found = at(numbers, (i - 48) % 10);
  }
  assert(found != 7);
  return 0;
}
