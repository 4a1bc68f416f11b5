// A table read at an index that depends on an input: a path per element, or one term over all of them. The table of characters
// has too many elements for the first, and is then taken as it is: not everything has been explored.
// expect: --all classes=16 failed=0
// expect: --all --symbolic-reads=64 classes=2 failed=0
// expect: --all --symbolic-reads=256 none classes=4 failed=0
// configurations: one
#include <heddle/heddle.h>

static const unsigned char kind_of[256] = {['0'] = 1, ['1'] = 1, ['2'] = 1, ['3'] = 1, ['4'] = 1,
                                           ['5'] = 1, ['6'] = 1, ['7'] = 1, ['8'] = 1, ['9'] = 1,
                                           ['+'] = 2, ['-'] = 2, ['*'] = 2, ['/'] = 2};
static int squares[16] = {0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144, 169, 196, 225};

int main(void) {
  unsigned n = heddle_input_uint("n") & 15;
  volatile int square = squares[n];
  if (square >= 100 && n < 8) heddle_assert(0);
  unsigned char c = heddle_input("c", 8, 0);
  if (kind_of[c] == 1) heddle_assert(c >= '0' && c <= '9');
  return 0;
}
