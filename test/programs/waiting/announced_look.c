// A thread says that it looks, looks, and takes it back; another one waits until it is said. The bug: it waits for what is
// never said. Whether the two meet one day, if they go on and on, is not known to Heddle: both are inconclusive.
// expect: inconclusive "reason=announced_look.c:" "reason=whether one of them ever finds what it waits for is not known"
// expect: -D BUG=1 inconclusive "reason=let it wait for something that stays"
// algorithms: every
// configurations: one
#include "together.h"

atomic_int looking, ready;

static void *work(void *argument) {
  if ((intptr_t)argument == 0) {
    for (int r = 0; r == 0;) {
      atomic_store(&looking, 1);
      r = atomic_load(&ready);
      atomic_store(&looking, 0);
    }
  } else {
#ifdef BUG
    while (atomic_load(&looking) != 2) {
    }
#else
    while (!atomic_load(&looking)) {
    }
#endif
    atomic_store(&ready, 1);
  }
  return argument;
}

int main(void) {
  together(2, work);
}
