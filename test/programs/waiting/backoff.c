// A spin lock whose losers pause, twice as long each time up to a limit, and then yield. The bug: the lock is given
// back before the last access.
// expect: none classes=10
// expect: -D BUG=1 data-race
// algorithms: every
#include <sched.h>

#include "together.h"

atomic_int locked;

static void lock(void) {
  int pauses = 1;
  for (;;) {
    int free = 0;
    if (atomic_compare_exchange_strong(&locked, &free, 1))
      return;
    for (int i = 0; i < pauses; ++i)
      __builtin_ia32_pause();
    if (pauses < 16)
      pauses *= 2;
    else
      sched_yield();
  }
}

static void *work(void *argument) {
  lock();
#ifndef BUG
  critical_section();
#endif
  atomic_store(&locked, 0);
#ifdef BUG
  critical_section();
#endif
  return argument;
}

int main(void) {
  together(2, work);
  assert(visits == 2);
}
