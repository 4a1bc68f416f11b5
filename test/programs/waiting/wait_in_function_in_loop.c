// A function that waits, called from a loop that consumes one number after the other. The bug: the producer skips one.
// expect: none classes=1
// expect: -D BUG=1 assertion
// algorithms: every
#include "together.h"

enum { kItems = 3 };
atomic_int box;   // 0: empty

static __attribute__((noinline)) int wait_while(int value) {
  int seen;
  while ((seen = atomic_load(&box)) == value) {
  }
  return seen;
}

static void *produce(void *argument) {
  for (int i = 1; i <= kItems; ++i) {
    while (atomic_load(&box) != 0) {
    }
#ifdef BUG
    if (i == 2)
      continue;
#endif
    atomic_store(&box, i);
  }
  return argument;
}

static void *consume(void *argument) {
  for (int i = 1; i <= kItems; ++i) {
    int seen = wait_while(0);
    assert(seen == i);
    atomic_store(&box, 0);
  }
  return argument;
}

int main(void) {
  both(produce, consume);
}
