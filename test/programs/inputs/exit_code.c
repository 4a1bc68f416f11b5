// exit() with a number that depends on inputs: whether it says that the program failed is a branch.
// expect: --all classes=2 failed=1 exit-code
// configurations: one
#include <heddle/heddle.h>
#include <stdlib.h>

int main(void) { exit(heddle_input_int("n") == 77); }
