// A sequence lock: the reader tries again while the number is odd or has changed. The bug: it does not look whether the
// number has changed.
// expect: none classes=107
// expect: -D BUG=1 assertion
// algorithms: every
// counts: spinning
#include "together.h"

atomic_uint number;
atomic_int left, right;   // the writer keeps them equal

static void *write_both(void *argument) {
  for (int i = 1; i <= 2; ++i) {
    atomic_fetch_add(&number, 1);
    atomic_store(&left, i);
    atomic_store(&right, i);
    atomic_fetch_add(&number, 1);
  }
  return argument;
}

static void *read_both(void *argument) {
  int l, r;
  unsigned before;
  do {
    while ((before = atomic_load(&number)) & 1) {
    }
    l = atomic_load(&left);
    r = atomic_load(&right);
#ifdef BUG
  } while (0);
#else
  } while (atomic_load(&number) != before);
#endif
  assert(l == r);
  return argument;
}

int main(void) {
  both(write_both, read_both);
}
