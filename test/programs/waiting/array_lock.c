// Anderson's array lock: everyone waits at a place of his own. The bug: the place is not cleared for the next round.
// expect: none classes=6
// expect: -D BUG=1 --all data-race assertion
// algorithms: every
#include "together.h"

enum { kThreads = 2, kRounds = 2 };
atomic_int may_go[kThreads] = {1};
atomic_int tail;

static void *work(void *argument) {
  for (int round = 0; round < kRounds; ++round) {
    int mine = atomic_fetch_add(&tail, 1) % kThreads;
    while (!atomic_load(&may_go[mine])) {
    }
#ifndef BUG
    atomic_store(&may_go[mine], 0);
#endif
    critical_section();
    atomic_store(&may_go[(mine + 1) % kThreads], 1);
  }
  return argument;
}

int main(void) {
  together(kThreads, work);
  assert(visits == kThreads * kRounds);
}
