// A lock made by hand: taken by a compare-and-swap, given back by a plain store that races with nobody, as only one thread
// uses it. To look under it is a turn in vain all the same.
// expect: --all --races=explore none classes=1
// algorithms: every
#include <pthread.h>

static volatile int ready, lock;

static int exchanged(volatile int *x, int expected, int value) {
  return __atomic_compare_exchange_n(x, &expected, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

static void *poll(void *argument) {
  int found;
  do {
    while (!exchanged(&lock, 0, 1)) {}
    found = ready;
    lock = 0;
  } while (!found);
  return argument;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, poll, 0);
  ready = 1;
  pthread_join(t, 0);
  return 0;
}
