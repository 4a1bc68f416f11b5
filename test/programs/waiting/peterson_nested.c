// Peterson's lock inside another one. The bug: the outer lock is given back too early.
// expect: none classes=4
// expect: -D BUG=1 --all data-race assertion
// algorithms: every
#include "together.h"

struct peterson {
  atomic_int wants[2], turn;
} outer, inner;
int deep;

static void lock(struct peterson *l, int me) {
  atomic_store(&l->wants[me], 1);
  atomic_store(&l->turn, 1 - me);
  while (atomic_load(&l->wants[1 - me]) && atomic_load(&l->turn) != me) {
  }
}

static void unlock(struct peterson *l, int me) {
  atomic_store(&l->wants[me], 0);
}

static void *work(void *argument) {
  int me = (int)(intptr_t)argument;
  lock(&outer, me);
  critical_section();
#ifdef BUG
  unlock(&outer, me);
#endif
  lock(&inner, me);
  ++deep;
  unlock(&inner, me);
  critical_section();
#ifndef BUG
  unlock(&outer, me);
#endif
  return argument;
}

int main(void) {
  together(2, work);
  assert(visits == 4 && deep == 2);
}
