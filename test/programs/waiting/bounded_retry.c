// Three tries, then the work is left to the other one: few turns are explored one by one. The bug: who gave up is taken
// for one who has done it.
// expect: none classes=14
// expect: -D BUG=1 assertion
// algorithms: every
#include "together.h"

atomic_int locked, given_up, done;

static int try_three_times(void) {
  for (int i = 0; i < 3; ++i)
    if (!atomic_exchange(&locked, 1))
      return 1;
  return 0;
}

static void *work(void *argument) {
  if (try_three_times()) {
    critical_section();
    atomic_store(&locked, 0);
    atomic_fetch_add(&done, 1);
  } else {
    atomic_fetch_add(&given_up, 1);
  }
  return argument;
}

int main(void) {
  together(2, work);
#ifdef BUG
  assert(done == 2);
#else
  assert(done + given_up == 2 && done >= 1 && visits == done);
#endif
}
