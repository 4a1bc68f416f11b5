// A dissemination barrier for four: in round k everyone tells the one 2^k further and waits for the one 2^k before. The
// bug: the last round is left out.
// expect: none classes=1
// expect: -D BUG=1 --races=explore assertion
// algorithms: every
#include "together.h"

enum { kThreads = 4 };
#ifdef BUG
enum { kRounds = 1 };
#else
enum { kRounds = 2 };
#endif
atomic_int told[kThreads][2];
int wrote[kThreads];

static void *work(void *argument) {
  int me = (int)(intptr_t)argument;
  wrote[me] = 1;
  for (int round = 0; round < kRounds; ++round) {
    atomic_store(&told[(me + (1 << round)) % kThreads][round], 1);
    while (!atomic_load(&told[me][round])) {
    }
  }
  for (int i = 0; i < kThreads; ++i)
    assert(wrote[i]);
  return argument;
}

int main(void) {
  together(kThreads, work);
}
