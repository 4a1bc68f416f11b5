// A maximum and a sum by compare and swap, tried again until it works. The bug: the sum is stored.
// expect: none classes=16
// expect: -D BUG=1 assertion
// algorithms: every
#include "together.h"

atomic_int highest, sum;

static void *work(void *argument) {
  int value = 1 + (int)(intptr_t)argument;
  for (int h = atomic_load(&highest); h < value && !atomic_compare_exchange_weak(&highest, &h, value);) {
  }
  int s = atomic_load(&sum);
#ifdef BUG
  atomic_store(&sum, s + value);
#else
  while (!atomic_compare_exchange_weak(&sum, &s, s + value)) {
  }
#endif
  return argument;
}

int main(void) {
  together(2, work);
  assert(highest == 2 && sum == 3);
}
