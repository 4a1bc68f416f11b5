// Thread i of a ring of n writes its own cell and reads its neighbour's: 2^n - 1 classes, as not all can read first.
// expect: -D N=4 classes=15 none
// expect: -D N=10 classes=1023 none
#include <stdatomic.h>

#include "start.h"

#ifndef N
#define N 4
#endif

static atomic_int x[N];

static void work(int index) {
  x[index] = 1;
  (void)atomic_load(&x[(index + 1) % N]);
}

int main(void) {
  for (int i = 0; i < N; ++i) start_thread(work, i);
  join_all();
  return 0;
}
