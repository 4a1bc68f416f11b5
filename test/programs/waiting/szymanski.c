// Szymanski's lock for two: a waiting room with a door. The bug: the door is not looked at.
// expect: none classes=29
// expect: -D BUG=1 data-race
// algorithms: every
#include "together.h"

enum { kThreads = 2 };
enum { kOutside, kWaits, kHelps, kAtTheDoor, kInside };
atomic_int flag[kThreads];

static int somebody(int from, int to, int low, int high) {
  for (int i = from; i < to; ++i) {
    int f = atomic_load(&flag[i]);
    if (f >= low && f <= high)
      return 1;
  }
  return 0;
}

static void *work(void *argument) {
  int me = (int)(intptr_t)argument;
  atomic_store(&flag[me], kWaits);
#ifndef BUG
  while (somebody(0, kThreads, kAtTheDoor, kInside)) {
  }
#endif
  atomic_store(&flag[me], kAtTheDoor);
  if (somebody(0, kThreads, kWaits, kWaits)) {
    atomic_store(&flag[me], kHelps);
    while (!somebody(0, kThreads, kInside, kInside)) {
    }
  }
  atomic_store(&flag[me], kInside);
  while (somebody(0, me, kHelps, kInside)) {
  }
  critical_section();
  while (somebody(me + 1, kThreads, kHelps, kAtTheDoor)) {
  }
  atomic_store(&flag[me], kOutside);
  return argument;
}

int main(void) {
  together(kThreads, work);
  assert(visits == kThreads);
}
