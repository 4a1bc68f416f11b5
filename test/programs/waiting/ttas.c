// Test, and only then test and set: two nested loops. The bug: unlocking is forgotten when the lock was taken at once.
// expect: none classes=78
// expect: -D BUG=1 livelock
// algorithms: every
// counts: optimiser
#include "together.h"

atomic_int locked;

static int lock(void) {
  int waited = 0;
  while (atomic_exchange(&locked, 1)) {
    waited = 1;
    while (atomic_load(&locked)) {
    }
  }
  return waited;
}

static void *work(void *argument) {
  int waited = lock();
  critical_section();
#ifdef BUG
  if (waited)
#endif
    atomic_store(&locked, 0);
  (void)waited;
  return argument;
}

int main(void) {
  together(3, work);
  assert(visits == 3);
}
