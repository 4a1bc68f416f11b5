// Dekker's lock: who has not the turn takes its wish back and waits for the turn, a loop in a loop. The bug: the wish
// is not taken back.
// expect: none classes=4
// expect: -D BUG=1 livelock
// algorithms: every
// counts: spinning
#include "together.h"

atomic_int wants[2], turn;

static void *work(void *argument) {
  int me = (int)(intptr_t)argument, other = 1 - me;
  atomic_store(&wants[me], 1);
  while (atomic_load(&wants[other])) {
    if (atomic_load(&turn) != me) {
#ifndef BUG
      atomic_store(&wants[me], 0);
#endif
      while (atomic_load(&turn) != me) {
      }
      atomic_store(&wants[me], 1);
    }
  }
  critical_section();
  atomic_store(&turn, other);
  atomic_store(&wants[me], 0);
  return argument;
}

int main(void) {
  together(2, work);
  assert(visits == 2);
}
