// Vyukov's bounded queue: every place has a number that says whose turn it is. Two producers, one consumer that waits.
// The bug: the producer fills the place after it has announced it.
// expect: none classes=8
// expect: -D BUG=1 data-race
// algorithms: every
#include "together.h"

enum { kSize = 2, kProducers = 2 };
struct {
  atomic_uint number;
  int value;
} ring[kSize] = {{0, 0}, {1, 0}};
atomic_uint head, tail;

static int push(int value) {
  unsigned t = atomic_load(&tail);
  for (;;) {
    unsigned number = atomic_load(&ring[t % kSize].number);
    if (number == t) {
      if (atomic_compare_exchange_strong(&tail, &t, t + 1))
        break;
    } else if ((int)(number - t) < 0) {
      return 0;
    } else {
      t = atomic_load(&tail);
    }
  }
#ifdef BUG
  atomic_store(&ring[t % kSize].number, t + 1);
  ring[t % kSize].value = value;
#else
  ring[t % kSize].value = value;
  atomic_store(&ring[t % kSize].number, t + 1);
#endif
  return 1;
}

static int pop(int *value) {
  unsigned h = atomic_load(&head);
  for (;;) {
    unsigned number = atomic_load(&ring[h % kSize].number);
    if (number == h + 1) {
      if (atomic_compare_exchange_strong(&head, &h, h + 1))
        break;
    } else if ((int)(number - (h + 1)) < 0) {
      return 0;
    } else {
      h = atomic_load(&head);
    }
  }
  *value = ring[h % kSize].value;
  atomic_store(&ring[h % kSize].number, h + kSize);
  return 1;
}

static void *work(void *argument) {
  int me = (int)(intptr_t)argument;
  if (me < kProducers) {
    while (!push(me + 1)) {
    }
    return argument;
  }
  int sum = 0;
  for (int i = 0; i < kProducers; ++i) {
    int value;
    while (!pop(&value)) {
    }
    sum += value;
  }
  assert(sum == 3);
  return argument;
}

int main(void) {
  together(kProducers + 1, work);
}
