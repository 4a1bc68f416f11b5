// N threads, K times load and store of one atomic; besides, what the measurements of cost ask for: private visible
// operations before the threads start (PREFIX), in each thread before and after (BEFORE, AFTER), and WORK turns of a
// loop in registers per thread.
// expect: -D N=2 -D K=3 classes=328 none
// expect: -D N=3 -D K=2 classes=7134 none
// expect: -D N=2 -D K=3 -D PREFIX=1000 classes=328 none
// expect: -D N=2 -D K=3 -D BEFORE=200 -D AFTER=200 -D WORK=3000 classes=328 none
#include <stdatomic.h>

#include "start.h"

#ifndef N
#define N 2
#endif
#ifndef K
#define K 3
#endif
#ifndef PREFIX
#define PREFIX 0
#endif
#ifndef BEFORE
#define BEFORE 0
#endif
#ifndef AFTER
#define AFTER 0
#endif
#ifndef WORK
#define WORK 0
#endif

static atomic_int x;
atomic_int own[N + 1];  // visible outside, or the compiler drops what nobody reads

static unsigned compute(unsigned seed) {
  for (int i = 0; i < WORK; ++i) {
    seed = seed * 1664525u + 1013904223u;
    __asm__ volatile("" : "+r"(seed));
  }
  return seed;
}

static void work(int index) {
  for (int i = 0; i < BEFORE; ++i) own[index] = i;
  (void)compute((unsigned)index);
  for (int i = 0; i < K; ++i) x = x + 1;
  for (int i = 0; i < AFTER; ++i) own[index] = i;
}

int main(void) {
  for (int i = 0; i < PREFIX; ++i) own[N] = i;
  for (int i = 0; i < N; ++i) start_thread(work, i);
  join_all();
  return 0;
}
