// Of 3 x 3 pairs, those that are equal fail.
// expect: verdict=bug exhausted=1 classes=6 infeasible=3 finding:assertion=1
// options: --all
#include <heddle/heddle.h>

int main(void) {
  int a = heddle_choose(3);
  int b = heddle_choose(3);
  heddle_assume(a != b);
  heddle_assert(a + b != 3);
  return 0;
}
