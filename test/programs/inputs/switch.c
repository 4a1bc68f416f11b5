// expect: --all classes=4 failed=1 assertion
// configurations: one
#include <heddle/heddle.h>

int main(void) {
  volatile int seen = 0;
  switch (heddle_input_int("n")) {
    case 1: seen = 1; break;
    case 70: seen = 2; break;
    case 9000: heddle_fail("nine thousand"); break;
    default: seen = 3; break;
  }
  return 0;
}
