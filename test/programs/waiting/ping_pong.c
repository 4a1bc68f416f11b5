// Ping-pong over one word, three rounds, with plain data that goes along. The bug: the second player serves, too.
// expect: none classes=1
// expect: -D BUG=1 data-race
// algorithms: every
#include "together.h"

enum { kRounds = 3 };
atomic_int ball;
int hits;

static void *play(void *argument) {
  int me = (int)(intptr_t)argument;
  for (int round = 0; round < kRounds; ++round) {
#ifdef BUG
    if (round > 0)
#endif
      while (atomic_load(&ball) != me) {
      }
    ++hits;
    atomic_store(&ball, 1 - me);
  }
  return argument;
}

int main(void) {
  together(2, play);
  assert(hits == 2 * kRounds);
}
