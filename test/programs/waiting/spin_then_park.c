// Looks ten thousand times, then sleeps on a semaphore. The bug: the one who gives does not see that somebody went to
// sleep, as that is not announced.
// expect: none classes=11
// expect: -D BUG=1 deadlock
// algorithms: every
// counts: spinning
#include <semaphore.h>

#include "together.h"

atomic_int tokens;
sem_t parked;
int data;

static void *take(void *argument) {
  for (int i = 0; i < 10000; ++i) {
    int have = atomic_load(&tokens);
    if (have > 0 && atomic_compare_exchange_strong(&tokens, &have, have - 1)) {
      assert(data == 1);
      return argument;
    }
  }
#ifdef BUG
  sem_wait(&parked);
#else
  if (atomic_fetch_sub(&tokens, 1) < 1)
    sem_wait(&parked);
#endif
  assert(data == 1);
  return argument;
}

static void *give(void *argument) {
  data = 1;
  if (atomic_fetch_add(&tokens, 1) < 0)
    sem_post(&parked);
  return argument;
}

int main(void) {
  sem_init(&parked, 0, 0);
  both(take, give);
}
