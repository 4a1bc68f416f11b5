// A hazard pointer: the reader announces what it is about to look at and makes sure that it is still current; the
// writer frees the old one when nobody has announced it. The bug: the reader does not make sure.
// expect: none classes=7
// expect: -D BUG=1 use-after-free
// algorithms: every
#include <stdlib.h>

#include "together.h"

_Atomic(int *) current, hazard;

static void *read_it(void *argument) {
  int *p;
#ifdef BUG
  p = atomic_load(&current);
  atomic_store(&hazard, p);
#else
  do {
    p = atomic_load(&current);
    atomic_store(&hazard, p);
  } while (p != atomic_load(&current));
#endif
  assert(*p == 1 || *p == 2);
  atomic_store(&hazard, 0);
  return argument;
}

static void *replace(void *argument) {
  int *fresh = malloc(sizeof *fresh);
  *fresh = 2;
  int *old = atomic_exchange(&current, fresh);
  while (atomic_load(&hazard) == old) {
  }
  free(old);
  return argument;
}

int main(void) {
  int *first = malloc(sizeof *first);
  *first = 1;
  atomic_store(&current, first);
  both(read_it, replace);
  free(atomic_load(&current));
}
