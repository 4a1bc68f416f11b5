// Polling under a lock that is tested first, then taken: who finds it free and then taken has seen two things, and what it has seen may
// have been the polling only. The bug: nobody sets what is polled for.
// expect: none classes=3
// expect: -D BUG=1 livelock
// expect: -D POLLERS=2 none classes=54
// expect: -D POLLERS=2 -D BUG=1 --all livelock classes=1
// algorithms: source-dpor dpor unfolding
// exempt: gcc
#include "together.h"

atomic_int taken;
int ready;

static void lock(void) {
  for (;;) {
    while (atomic_load(&taken)) {
    }
    if (!atomic_exchange(&taken, 1))
      return;
  }
}

static void unlock(void) { atomic_store(&taken, 0); }

static void *poll(void *argument) {
  for (;;) {
    lock();
    int r = ready;
    unlock();
    if (r)
      return argument;
  }
}

static void *set(void *argument) {
  lock();
  ready = 1;
  unlock();
  return argument;
}

#ifndef POLLERS
#define POLLERS 1
#endif

static void *work(void *argument) {
#ifndef BUG
  if ((intptr_t)argument == POLLERS)
    return set(argument);
#else
  (void)set;
#endif
  return poll(argument);
}

int main(void) {
  together(POLLERS + 1, work);
}
