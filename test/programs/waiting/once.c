// Once by hand: the first does it, the others wait until it is done. The bug: they do not wait.
// expect: none classes=12
// expect: -D BUG=1 --races=explore assertion
// algorithms: every
#include "together.h"

enum { kNew, kBusy, kDone };
atomic_int state;
int value;

static void *work(void *argument) {
  int fresh = kNew;
  if (atomic_compare_exchange_strong(&state, &fresh, kBusy)) {
    ++value;
    atomic_store(&state, kDone);
  } else {
#ifndef BUG
    while (atomic_load(&state) != kDone) {
    }
#endif
  }
  assert(value == 1);
  return argument;
}

int main(void) {
  together(3, work);
}
