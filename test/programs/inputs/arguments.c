// An argument that is inputs: "-x" and a digit are found byte by byte. Five paths: no '-', then no 'x', then below or above a digit, then the bug.
// expect: --all --symbolic-args=1:3 classes=5 failed=1 assertion
// expect: --all classes=1 none
// configurations: one
#include <heddle/heddle.h>

int main(int argc, char **argv) {
  if (argc < 2) return 0;
  const char *text = argv[argc - 1];
  if (text[0] != '-') return 0;
  if (text[1] != 'x') return 0;
  if (text[2] < '0' || text[2] > '9') return 0;
  heddle_fail("-x with a digit");
  return 0;
}
