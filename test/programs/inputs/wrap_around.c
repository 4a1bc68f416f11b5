// The error needs 32-bit wrap-around: x = 10, y = -858993314 is its only solution (signed).
// expect: --all classes=4 failed=1 assertion
// configurations: one
#include <heddle/heddle.h>

int main(void) {
  // Unsigned arithmetic wraps; comparison and division are signed.
  const int x = heddle_input_int("x"), y = heddle_input_int("y");
  if (x > y)
    if ((int)((unsigned)x * (unsigned)y) == 1452)
      if (x / 2 == 5) heddle_fail("reached");
  return 0;
}
