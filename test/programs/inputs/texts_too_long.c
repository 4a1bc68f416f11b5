// A text or a length that depends on inputs is too long for the array it is written to, or has no end in the array that it is
// read from: an access outside its object, with the inputs that lead there.
// expect: --all index-out-of-range findings=1
// expect: --all -D HOW=1 index-out-of-range findings=1
// expect: --all -D HOW=2 index-out-of-range findings=1
// expect: --all -D HOW=3 index-out-of-range findings=1
// expect: --all -D HOW=4 index-out-of-range findings=1
// expect: --all -D HOW=5 index-out-of-range findings=1
// expect: --all -D HOW=6 none
// configurations: one
#include <heddle/heddle.h>
#include <stdio.h>
#include <string.h>

#ifndef HOW
#define HOW 0
#endif

char kept[12];
volatile int sink;

__attribute__((noinline)) static int use(const char *text, unsigned long length) {
  char copy[5] = "a";
  switch (HOW) {
    case 0: strcpy(copy, text); break;
    case 1: strcat(copy, text); break;
    case 2: memcpy(copy, kept, length); break;
    case 3: memset(copy, 0, length); break;
    case 4: sprintf(copy, "%s", text); break;
    case 5: return strlen(text) == 7;
    default:
      strncpy(copy, text, sizeof copy - 1);
      strcat(copy, "");
  }
  return copy[0] + copy[4];
}

int main(void) {
  char text[6];
  heddle_input_bytes(text, sizeof text, "text");
  const unsigned long length = heddle_input_int("length") & 7;
  if (HOW == 5) {
    char open[3];
    heddle_input_bytes(open, sizeof open, "open");
    return strlen(open) > 9;
  }
  heddle_assume(text[5] == 0);
  if (HOW == 4) strcpy(text, "12345");   // what sprintf reads is taken as it is
  sink = use(text, HOW == 6 ? 3 : length);
  return 0;
}
