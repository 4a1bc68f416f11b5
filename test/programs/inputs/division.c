// expect: --all classes=3 failed=2 division-by-zero assertion
// expect: --all --check=none classes=2 failed=1 assertion
// configurations: one
#include <heddle/heddle.h>

int main(void) {
  const unsigned n = heddle_input_uint("n");
  heddle_assert(100 / n != 7);
  return 0;
}
