// Polling under a lock that is tested first, then taken: who finds it free and then taken has seen two things, and what it has seen may
// have been the polling only. The bug: nobody sets what is polled for.
// expect: none classes=3
// expect: -D BUG=1 livelock
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

int main(void) {
#ifdef BUG
  both(poll, poll);
  (void)set;
#else
  both(poll, set);
#endif
}
