// Standard input that is inputs, read in three ways: a character, a line, and by the system call.
// expect: --all --symbolic-stdin=4 classes=5 failed=1 assertion
// configurations: one
#include <heddle/heddle.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
  char line[2], rest[2];
  if (getchar() != '#') return 0;
  if (!fgets(line, sizeof line, stdin)) return 0;
  if (line[0] == '\n') return 0;
  if (read(0, rest, sizeof rest) != 2) return 0;
  if (rest[0] == line[0] && rest[1] > line[0]) heddle_fail("found");
  return 0;
}
