// A lift takes three: all wait for the last one, which closes the door, and everyone gets out one after the other. The
// bug: they get out all at once.
// expect: none classes=6
// expect: -D BUG=1 data-race
// algorithms: every
#include "together.h"

enum { kThreads = 3 };
atomic_int inside, gone;

static void *ride(void *argument) {
  int place = atomic_fetch_add(&inside, 1);
  while (atomic_load(&inside) < kThreads) {
  }
#ifndef BUG
  while (atomic_load(&gone) != place) {
  }
#endif
  critical_section();
  atomic_store(&gone, place + 1);
  return argument;
}

int main(void) {
  together(kThreads, ride);
  assert(visits == kThreads);
}
