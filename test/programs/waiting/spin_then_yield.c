// Spins a hundred times, yields, and begins again. The bug: nobody sets what it waits for.
// expect: none classes=9
// expect: -D BUG=1 livelock
// algorithms: every
// exempt: gcc
#include <sched.h>

#include "together.h"

static atomic_int done;
static int value;

static void *work(void *argument) {
  value = 1;
#ifndef BUG
  atomic_store(&done, 1);
#endif
  return argument;
}

static void wait_until_done(void) {
  for (;;) {
    for (int i = 0; i < 100; ++i) {
      if (atomic_load(&done)) return;
      __builtin_ia32_pause();
    }
    sched_yield();
  }
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  wait_until_done();
  assert(value == 1);
  pthread_join(thread, 0);
}
