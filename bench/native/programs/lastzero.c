// Abdulla et al.: thread 0 searches from the end for the last zero, thread j adds one to its left neighbour's value.
// (n+3) * 2^(n-2) classes.
// expect: -D N=5 classes=64 none
// expect: -D N=10 classes=3328 none
// expect: --races=explore -D PLAIN=1 -D N=10 classes=3328 none
// slow: -D N=15 classes=147456 none
#include <stdatomic.h>

#include "start.h"

#ifndef N
#define N 5
#endif

// The same with plain memory, whose accesses become visible when they race.
#ifdef PLAIN
volatile int array[N + 1];
#else
atomic_int array[N + 1];
#endif

static void search(int index) {
  (void)index;
  int i = N;
  while (array[i] != 0) --i;
}

static void add(int index) { array[index] = array[index - 1] + 1; }

int main(void) {
  start_thread(search, 0);
  for (int j = 1; j <= N; ++j) start_thread(add, j);
  join_all();
  return 0;
}
