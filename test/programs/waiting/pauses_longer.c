// Pauses at first, yields from the tenth look on, sleeps longer and longer from the twentieth on: the counter decides about nothing else, so
// the loop never gives up. The bug: nobody sets what it waits for. (COUNTS: somebody is told how often it has looked.)
// expect: none classes=9 assumes=nothing
// expect: -D BUG=1 livelock
// expect: -D COUNTS=1 none classes=9 assumes=counting-loops
// expect: -D COUNTS=1 -D BUG=1 livelock
// algorithms: every
// exempt: gcc
#include <sched.h>
#include <unistd.h>

#include "together.h"

static atomic_int done;

static void *work(void *argument) {
#ifndef BUG
  atomic_store(&done, 1);
#endif
  return argument;
}

static int wait_until_done(void) {
  int looks = 0;
  while (!atomic_load(&done)) {
    if (++looks < 10)
      __builtin_ia32_pause();
    else if (looks < 20)
      sched_yield();
    else
      usleep(looks % 1000);
  }
#ifdef COUNTS
  return looks;
#else
  return 0;
#endif
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  int looks = wait_until_done();
  assert(looks < 1000000);
  pthread_join(thread, 0);
}
