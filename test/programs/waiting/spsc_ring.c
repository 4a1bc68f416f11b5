// A ring between one producer and one consumer, both of which wait in loops. The bug: the place is announced before it
// is filled.
// expect: none classes=9
// expect: -D BUG=1 data-race
// algorithms: every
#include "together.h"

enum { kSize = 2, kItems = 3 };
atomic_int head, tail;
int ring[kSize];

static void *produce(void *argument) {
  for (int i = 0; i < kItems; ++i) {
    int t = atomic_load(&tail);
    while (t - atomic_load(&head) == kSize) {
    }
#ifdef BUG
    atomic_store(&tail, t + 1);
    ring[t % kSize] = i;
#else
    ring[t % kSize] = i;
    atomic_store(&tail, t + 1);
#endif
  }
  return argument;
}

static void *consume(void *argument) {
  for (int i = 0; i < kItems; ++i) {
    int h = atomic_load(&head);
    while (atomic_load(&tail) == h) {
    }
    assert(ring[h % kSize] == i);
    atomic_store(&head, h + 1);
  }
  return argument;
}

int main(void) {
  both(produce, consume);
}
