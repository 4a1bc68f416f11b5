// Left-right: two copies; the writer changes the one that nobody reads, leads readers there, waits until the others
// have left and changes the second one. The bug: it does not wait.
// expect: none classes=4
// expect: -D BUG=1 data-race
// algorithms: every
#include "together.h"

int copy[2];
atomic_int side, version, readers[2];

static void *read_it(void *argument) {
  int v = atomic_load(&version);
  atomic_fetch_add(&readers[v], 1);
  int value = copy[atomic_load(&side)];
  atomic_fetch_sub(&readers[v], 1);
  assert(value == 0 || value == 5);
  return argument;
}

static void *write_it(void *argument) {
  int here = atomic_load(&side);
  copy[1 - here] = 5;
  atomic_store(&side, 1 - here);
#ifndef BUG
  int v = atomic_load(&version);
  while (atomic_load(&readers[1 - v])) {
  }
  atomic_store(&version, 1 - v);
  while (atomic_load(&readers[v])) {
  }
#endif
  copy[here] = 5;
  return argument;
}

int main(void) {
  both(read_it, write_it);
  assert(copy[0] == 5 && copy[1] == 5);
}
