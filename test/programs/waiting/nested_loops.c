// Waits for two conditions to hold at once: the inner loop waits for the first, the outer one looks at both again. The
// bug: the first is not looked at again.
// expect: none classes=3
// expect: -D BUG=1 livelock
// algorithms: every
#include "together.h"

atomic_int door, light;
int data;

static void *watch(void *argument) {
  do {
    while (!atomic_load(&door)) {
    }
    while (!atomic_load(&light)) {
    }
#ifdef BUG
  } while (0);
#else
  } while (!atomic_load(&door));
#endif
  assert(data == 2);
  return argument;
}

static void *set(void *argument) {
  data = 1;
  atomic_store(&door, 1);
  atomic_store(&door, 0);
  data = 2;
  atomic_store(&light, 1);
#ifndef BUG
  atomic_store(&door, 1);
#endif
  return argument;
}

int main(void) {
  both(watch, set);
}
