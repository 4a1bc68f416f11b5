// Waiting in a function that has an array of variable length.
// expect: none classes=1
// expect: -D BUG=1 livelock
// algorithms: every
// exempt: gcc
#include "together.h"

atomic_int first, second;

static int await(atomic_int *flag, int n) {
  int numbers[n];
  for (int i = 0; i < n; i++)
    numbers[i] = i;
  while (!atomic_load(flag)) {
  }
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += numbers[i];
  return sum;
}

static void *work(void *argument) {
  assert(await(&first, 4) == 6);
#ifndef BUG
  atomic_store(&second, 1);
#endif
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  atomic_store(&first, 1);
  assert(await(&second, 5) == 10);
  pthread_join(thread, 0);
}
