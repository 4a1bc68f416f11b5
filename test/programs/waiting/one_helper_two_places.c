// One function waits for two different variables, one after the other, in both orders. The bug: one of them is never
// raised.
// expect: none classes=1
// expect: -D BUG=1 livelock
// algorithms: every
#include "together.h"

atomic_int a, b;
int left, right;

static __attribute__((noinline)) void wait_for(atomic_int *flag) {
  while (!atomic_load(flag)) {
  }
}

static void *work(void *argument) {
  switch ((intptr_t)argument) {
    case 0:
      left = 1;
      atomic_store(&a, 1);
      wait_for(&b);
      assert(right == 1);
      break;
    case 1:
      right = 1;
#ifndef BUG
      atomic_store(&b, 1);
#endif
      wait_for(&a);
      assert(left == 1);
      break;
    default:
      wait_for(&a);
      wait_for(&b);
      assert(left + right == 2);
  }
  return argument;
}

int main(void) {
  together(3, work);
}
