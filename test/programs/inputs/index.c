// An index that depends on inputs: outside, and each of the four elements.
// expect: --all classes=5 failed=2 index-out-of-range assertion
// expect: --all --check=none classes=4 failed=1 assertion
// configurations: one
#include <heddle/heddle.h>

static int table[4] = {3, 1, 4, 1};

int main(void) {
  volatile int *cell = &table[heddle_input_uint("i")];
  heddle_assert(*cell != 4);
  return 0;
}
