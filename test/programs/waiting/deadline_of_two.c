// Looks at two places until a deadline that is an hour away. The bug: it takes for granted that one was set.
// expect: none
// expect: -D BUG=1 assertion
// algorithms: every
// exempt: gcc
#include <time.h>

#include "together.h"

static atomic_int one, two;

static long now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000L + t.tv_nsec;
}

static void *set(void *argument) {
  atomic_store((intptr_t)argument == 0 ? &one : &two, 1);
  return argument;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, set, (void *)0);
  pthread_create(&second, 0, set, (void *)1);
  const long end = now() + 3600000000000L;
  while (!atomic_load(&one) && !atomic_load(&two) && now() < end) {
  }
#ifdef BUG
  assert(atomic_load(&one) || atomic_load(&two));
#endif
  pthread_join(first, 0);
  pthread_join(second, 0);
}
