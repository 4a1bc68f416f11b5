// A barrier that only counts arrivals: three threads wait until all are there. The bug: an arrival is counted in two
// steps.
// expect: none classes=6
// expect: -D BUG=1 livelock
// algorithms: every
#include "together.h"

enum { kThreads = 3 };
atomic_int arrived;
int wrote[kThreads];

static void *work(void *argument) {
  int me = (int)(intptr_t)argument;
  wrote[me] = 1;
#ifdef BUG
  atomic_store(&arrived, atomic_load(&arrived) + 1);
#else
  atomic_fetch_add(&arrived, 1);
#endif
  while (atomic_load(&arrived) < kThreads) {
  }
  for (int i = 0; i < kThreads; ++i)
    assert(wrote[i]);
  return argument;
}

int main(void) {
  together(kThreads, work);
}
