// A ticket lock, three threads. The bug: the ticket is drawn in two steps.
// expect: none classes=6
// expect: -D BUG=1 --all --races=ignore livelock
// algorithms: every
#include "together.h"

atomic_int next, now;

static void *work(void *argument) {
#ifdef BUG
  int ticket = atomic_load(&next);
  atomic_store(&next, ticket + 1);
#else
  int ticket = atomic_fetch_add(&next, 1);
#endif
  while (atomic_load(&now) != ticket) {
  }
  critical_section();
  atomic_store(&now, ticket + 1);
  return argument;
}

int main(void) {
  together(3, work);
  assert(visits == 3);
}
