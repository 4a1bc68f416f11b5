// One write and n reads of one variable: 2^n classes.
// expect: -D N=3 classes=8 none
// expect: -D N=8 classes=256 none
// expect: -D N=12 classes=4096 none
// expect: --races=explore -D PLAIN=1 -D N=8 classes=256 none
#include <stdatomic.h>

#include "start.h"

#ifndef N
#define N 8
#endif

#ifdef PLAIN
volatile int x;
#else
atomic_int x;
#endif

static void write_x(int index) {
  (void)index;
  x = 1;
}

static void read_x(int index) {
  (void)index;
  const int seen = x;
  (void)seen;
}

int main(void) {
  start_thread(write_x, 0);
  for (int i = 0; i < N; ++i) start_thread(read_x, i);
  join_all();
  return 0;
}
