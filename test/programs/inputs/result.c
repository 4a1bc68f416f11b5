// What main returns depends on inputs: whether it says that the program failed is a branch of its own.
// expect: --all classes=2 failed=1 exit-code
// configurations: one
#include <heddle/heddle.h>

int main(void) { return heddle_input_int("n") == 77; }
