// A token goes round between three, twice; who has it owns the data. The bug: one of them passes it on to itself.
// expect: none classes=1
// expect: -D BUG=1 livelock
// algorithms: every
#include "together.h"

enum { kThreads = 3, kRounds = 2 };
atomic_int token;

static void *work(void *argument) {
  int me = (int)(intptr_t)argument;
  for (int round = 0; round < kRounds; ++round) {
    while (atomic_load(&token) != me) {
    }
    critical_section();
#ifdef BUG
    if (me != 1)
#endif
      atomic_store(&token, (me + 1) % kThreads);
  }
  return argument;
}

int main(void) {
  together(kThreads, work);
  assert(visits == kThreads * kRounds);
}
