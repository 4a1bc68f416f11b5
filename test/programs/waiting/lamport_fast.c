// Lamport's fast mutex: seven accesses where nobody competes. The bug: who lost the race for y does not wait for those
// who are still busy.
// expect: none classes=16
// expect: -D BUG=1 data-race
// algorithms: every
#include "together.h"

enum { kThreads = 2 };
atomic_int x, y, busy[kThreads + 1];

static void lock(int me) {
  for (;;) {
    atomic_store(&busy[me], 1);
    atomic_store(&x, me);
    if (atomic_load(&y) != 0) {
      atomic_store(&busy[me], 0);
      while (atomic_load(&y) != 0) {
      }
      continue;
    }
    atomic_store(&y, me);
    if (atomic_load(&x) == me)
      return;
    atomic_store(&busy[me], 0);
#ifndef BUG
    for (int other = 1; other <= kThreads; ++other)
      while (atomic_load(&busy[other])) {
      }
#endif
    if (atomic_load(&y) == me)
      return;
    while (atomic_load(&y) != 0) {
    }
  }
}

static void *work(void *argument) {
  int me = 1 + (int)(intptr_t)argument;
  lock(me);
  critical_section();
  atomic_store(&y, 0);
  atomic_store(&busy[me], 0);
  return argument;
}

int main(void) {
  together(kThreads, work);
  assert(visits == kThreads);
}
