// A sense-reversing barrier, passed twice by two threads. The bug: the count is set back after the others were let go.
// expect: none classes=4
// expect: -D BUG=1 livelock
// algorithms: every
// counts: spinning
#include "together.h"

enum { kThreads = 2 };
atomic_int missing = kThreads, sense;
int wrote[kThreads];

static void wait_for_all(int *mine) {
  *mine = !*mine;
  if (atomic_fetch_sub(&missing, 1) == 1) {
#ifdef BUG
    atomic_store(&sense, *mine);
    atomic_store(&missing, kThreads);
#else
    atomic_store(&missing, kThreads);
    atomic_store(&sense, *mine);
#endif
    return;
  }
  while (atomic_load(&sense) != *mine) {
  }
}

static void *work(void *argument) {
  int me = (int)(intptr_t)argument, sense_here = 0;
  wrote[me] = 1;
  wait_for_all(&sense_here);
  assert(wrote[1 - me] == 1);
  wait_for_all(&sense_here);
  wrote[me] = 2;
  return argument;
}

int main(void) {
  together(kThreads, work);
}
