// Test and set: each turn writes what is there already. The bug: exchange became look and store.
// expect: none classes=6
// expect: -D BUG=1 --all data-race assertion
// algorithms: every
#include "together.h"

atomic_int locked;

static void lock(void) {
#ifdef BUG
  while (atomic_load(&locked)) {
  }
  atomic_store(&locked, 1);
#else
  while (atomic_exchange(&locked, 1)) {
  }
#endif
}

static void *work(void *argument) {
  lock();
  critical_section();
  atomic_store(&locked, 0);
  return argument;
}

int main(void) {
  together(3, work);
  assert(visits == 3);
}
