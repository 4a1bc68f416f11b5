// Waiting for the same thing twice is no waiting in vain: the second time the thread stands as it stood the first time, with the
// same arguments, in the same frame, having changed nothing. The bug: the one who answers does so once.
// expect: none classes=1
// expect: -D BUG=1 livelock
// algorithms: every
#include "together.h"

atomic_int asked, answered;

static void wait_until_above(atomic_int *place, int value) {
  while (atomic_load(place) <= value) {
  }
}

static void *ask(void *argument) {
  for (int i = 0; i < 2; ++i) {
    atomic_store(&asked, i + 1);
    wait_until_above(&answered, i);
    wait_until_above(&answered, i);
  }
  return argument;
}

static void *answer(void *argument) {
#ifdef BUG
  for (int i = 0; i < 1; ++i) {
#else
  for (int i = 0; i < 2; ++i) {
#endif
    wait_until_above(&asked, i);
    wait_until_above(&asked, i);
    atomic_store(&answered, i + 1);
  }
  return argument;
}

int main(void) {
  both(ask, answer);
}
