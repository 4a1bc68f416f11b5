// The smallest number divided by -1 traps like a division by zero, and an input can bring it about.
// expect: --all overflow
// expect: --all --check=none none
// configurations: one
#include <heddle/heddle.h>

int main(void) {
  const int n = heddle_input_int("n"), m = heddle_input_int("m");
  heddle_assume(m != 0);
  volatile int quotient = n / m;
  (void)quotient;
  return 0;
}
