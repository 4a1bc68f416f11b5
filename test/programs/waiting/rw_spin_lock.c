// A reader-writer spin lock in one word: -1 for a writer, otherwise the number of readers. The bug: a writer waits
// until nobody reads, and takes nothing.
// expect: none classes=192
// expect: -D BUG=1 data-race
// algorithms: every
// counts: spinning
#include "together.h"

atomic_int state;
int data;

static void read_lock(void) {
  for (;;) {
    int s = atomic_load(&state);
    if (s >= 0 && atomic_compare_exchange_strong(&state, &s, s + 1))
      return;
  }
}

static void write_lock(void) {
#ifdef BUG
  while (atomic_load(&state) != 0) {
  }
#else
  int free;
  do
    free = 0;
  while (!atomic_compare_exchange_strong(&state, &free, -1));
#endif
}

static void write_unlock(void) {
#ifndef BUG
  atomic_store(&state, 0);
#endif
}

static void *work(void *argument) {
  if ((intptr_t)argument == 0) {
    write_lock();
    data = 1;
    write_unlock();
  } else {
    read_lock();
    assert(data == 0 || data == 1);
    atomic_fetch_sub(&state, 1);
  }
  return argument;
}

int main(void) {
  together(3, work);
}
