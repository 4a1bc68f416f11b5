// expect: --all classes=2 none
// expect: --all --check=overflow classes=3 failed=1 overflow
// configurations: one
#include <heddle/heddle.h>

int main(void) {
  const int n = heddle_input_int("n"), m = heddle_input_int("m");
  volatile int big = 0;
  if (n + m > 100) big = 1;
  return 0;
}
