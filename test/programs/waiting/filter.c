// The filter lock: Peterson's for three, with a level less than threads. The bug: one level only.
// expect: none classes=447
// expect: -D BUG=1 data-race
// algorithms: source-dpor unfolding contextual-unfolding
// (dpor, which has no sleep sets, needs more than a million executions.)
#include "together.h"

enum { kThreads = 3 };
#ifdef BUG
enum { kLevels = 1 };
#else
enum { kLevels = 2 };
#endif
atomic_int level[kThreads], victim[kThreads];

static int others_are_as_far(int me, int l) {
  for (int other = 0; other < kThreads; ++other)
    if (other != me && atomic_load(&level[other]) >= l)
      return 1;
  return 0;
}

static void *work(void *argument) {
  int me = (int)(intptr_t)argument;
  for (int l = 1; l <= kLevels; ++l) {
    atomic_store(&level[me], l);
    atomic_store(&victim[l], me);
    while (others_are_as_far(me, l) && atomic_load(&victim[l]) == me) {
    }
  }
  critical_section();
  atomic_store(&level[me], 0);
  return argument;
}

int main(void) {
  together(kThreads, work);
  assert(visits == kThreads);
}
