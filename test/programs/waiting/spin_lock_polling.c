// Two poll under a spin lock for what a third one sets under it. The bug: nobody sets it.
// expect: none classes=2
// expect: -D BUG=1 livelock
// expect: -D CAS=1 none
// expect: -D CAS=1 -D BUG=1 livelock
// algorithms: every
#include "together.h"

atomic_int taken;
int ready;

static void lock(void) {
#ifdef CAS
  int expected;
  do
    expected = 0;
  while (!atomic_compare_exchange_strong(&taken, &expected, 1));
#else
  while (atomic_exchange(&taken, 1)) {
  }
#endif
}

static void unlock(void) { atomic_store(&taken, 0); }

static int is_ready(void) {
  lock();
  int r = ready;
  unlock();
  return r;
}

static void *work(void *argument) {
  if ((intptr_t)argument == 0) {
#ifndef BUG
    lock();
    ready = 1;
    unlock();
#endif
  } else {
    while (!is_ready()) {
    }
  }
  return argument;
}

int main(void) {
  together(3, work);
}
