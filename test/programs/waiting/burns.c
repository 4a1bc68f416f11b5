// Burns' one-bit lock for two: those with a higher number step back. The bug: they do not look once more.
// expect: none classes=11
// expect: -D BUG=1 data-race
// algorithms: every
#include "together.h"

enum { kThreads = 2 };
atomic_int wants[kThreads];

static int one_before(int me) {
  for (int i = 0; i < me; ++i)
    if (atomic_load(&wants[i]))
      return 1;
  return 0;
}

static void *work(void *argument) {
  int me = (int)(intptr_t)argument;
  do {
    atomic_store(&wants[me], 0);
    while (one_before(me)) {
    }
    atomic_store(&wants[me], 1);
#ifdef BUG
  } while (0);
#else
  } while (one_before(me));
#endif
  for (int other = me + 1; other < kThreads; ++other)
    while (atomic_load(&wants[other])) {
    }
  critical_section();
  atomic_store(&wants[me], 0);
  return argument;
}

int main(void) {
  together(kThreads, work);
  assert(visits == kThreads);
}
