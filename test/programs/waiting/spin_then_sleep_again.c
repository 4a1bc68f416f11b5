// One loop that sleeps at every thousandth turn. The bug: the second turn is never given on.
// expect: none classes=81
// expect: -D BUG=1 livelock
// algorithms: every
// exempt: gcc
#include <unistd.h>

#include "together.h"

static atomic_int turn;
static int sum;

static void wait_for(int number) {
  unsigned spins = 0;
  while (atomic_load(&turn) != number) {
    if (++spins > 1000) {
      usleep(10);
      spins = 0;
    }
  }
}

static void *work(void *argument) {
  wait_for(1);
  ++sum;
#ifndef BUG
  atomic_store(&turn, 2);
#endif
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  ++sum;
  atomic_store(&turn, 1);
  wait_for(2);
  ++sum;
  assert(sum == 3);
  pthread_join(thread, 0);
}
