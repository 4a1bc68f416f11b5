// Lamport's bakery for two. The bug: nobody waits for those who are still choosing.
// expect: none classes=9
// expect: -D BUG=1 --races=explore assertion
// algorithms: every
#include "together.h"

enum { kThreads = 2 };
atomic_int choosing[kThreads], number[kThreads];

static int comes_first(int a, int of_a, int b, int of_b) {
  return of_a < of_b || (of_a == of_b && a < b);
}

static void *work(void *argument) {
  int me = (int)(intptr_t)argument;
  atomic_store(&choosing[me], 1);
  int highest = 0;
  for (int i = 0; i < kThreads; ++i) {
    int n = atomic_load(&number[i]);
    highest = n > highest ? n : highest;
  }
  int mine = highest + 1;
  atomic_store(&number[me], mine);
  atomic_store(&choosing[me], 0);
  for (int other = 0; other < kThreads; ++other) {
    if (other == me)
      continue;
#ifndef BUG
    while (atomic_load(&choosing[other])) {
    }
#endif
    for (int n; (n = atomic_load(&number[other])) != 0 && comes_first(other, n, me, mine);) {
    }
  }
  critical_section();
  atomic_store(&number[me], 0);
  return argument;
}

int main(void) {
  together(kThreads, work);
  assert(visits == kThreads);
}
