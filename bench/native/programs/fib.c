// Two threads add to each other's number; a third looks at the result. fib 2 is K = 5 with the limit 144, included.
// expect: classes=19605 none
// expect: -D OBSERVE=0 classes=1107 none
// slow: --all -D K=5 -D LIMIT=143 classes=218243 abort
#include <stdatomic.h>
#include <stdlib.h>

#include "start.h"

#ifndef K
#define K 4
#endif
#ifndef LIMIT
#define LIMIT 377
#endif
#ifndef OBSERVE
#define OBSERVE 1
#endif

static atomic_int i = 1, j = 1;

static void add_to_first(int index) {
  (void)index;
  for (int step = 0; step < K; ++step) {
    const int own = i;
    i = own + j;
  }
}

static void add_to_second(int index) {
  (void)index;
  for (int step = 0; step < K; ++step) {
    const int own = j;
    j = own + i;
  }
}

static void observe(int index) {
  (void)index;
  if (i > LIMIT || j > LIMIT) abort();
}

int main(void) {
  start_thread(add_to_first, 0);
  start_thread(add_to_second, 0);
  if (OBSERVE) start_thread(observe, 0);
  join_all();
  return 0;
}
