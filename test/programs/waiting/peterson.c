// Peterson's lock for two, two rounds. The bug: first the turn is given away, then the wish is shown.
// expect: none classes=48
// expect: -D BUG=1 --all data-race assertion
// algorithms: every
#include "together.h"

atomic_int wants[2], turn;

static void *work(void *argument) {
  int me = (int)(intptr_t)argument, other = 1 - me;
  for (int round = 0; round < 2; ++round) {
#ifdef BUG
    atomic_store(&turn, other);
    atomic_store(&wants[me], 1);
#else
    atomic_store(&wants[me], 1);
    atomic_store(&turn, other);
#endif
    while (atomic_load(&wants[other]) && atomic_load(&turn) == other) {
    }
    critical_section();
    atomic_store(&wants[me], 0);
  }
  return argument;
}

int main(void) {
  together(2, work);
  assert(visits == 4);
}
