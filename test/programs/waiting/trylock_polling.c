// A mutex that is only ever tried, again and again. The bug: after some tries one goes in without it.
// expect: none classes=6
// expect: -D BUG=1 data-race
// algorithms: every
#include <sched.h>

#include "together.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *argument) {
#ifdef BUG
  int have = 0;
  for (int tries = 0; tries < 3 && !have; ++tries)
    have = pthread_mutex_trylock(&mutex) == 0;
  critical_section();
  if (have)
    pthread_mutex_unlock(&mutex);
#else
  while (pthread_mutex_trylock(&mutex) != 0)
    sched_yield();
  critical_section();
  pthread_mutex_unlock(&mutex);
#endif
  return argument;
}

int main(void) {
  together(3, work);
  assert(visits == 3);
}
