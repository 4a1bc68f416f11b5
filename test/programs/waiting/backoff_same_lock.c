// Two locks in opposite order, the second by trying: who does not get it gives back the first and begins with the same one again. One
// may be in the middle of its next turn when the other's turn is over, again and again. The bug: it keeps the first.
// expect: none classes=2
// expect: -D BUG=1 deadlock
// expect: -D YIELD=1 none classes=2
// algorithms: every
// exempt: gcc
#include <sched.h>

#include "together.h"

pthread_mutex_t mutex[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void lock_both(int first) {
  for (;;) {
    pthread_mutex_lock(&mutex[first]);
    if (pthread_mutex_trylock(&mutex[1 - first]) == 0)
      return;
#ifdef BUG
    pthread_mutex_lock(&mutex[1 - first]);
    return;
#endif
    pthread_mutex_unlock(&mutex[first]);
#ifdef YIELD
    sched_yield();
#endif
  }
}

static void *work(void *argument) {
  lock_both((int)(intptr_t)argument);
  critical_section();
  pthread_mutex_unlock(&mutex[0]);
  pthread_mutex_unlock(&mutex[1]);
  return argument;
}

int main(void) {
  together(2, work);
  assert(visits == 2);
}
