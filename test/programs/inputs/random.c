// Random inputs: one class, and no proof.
// expect: --all --inputs=random:7 classes=1
// configurations: one
#include <heddle/heddle.h>

int main(void) {
  volatile int large = 0;
  if (heddle_input_int("n") > 0) large = 1;
  return 0;
}
