// Two look as readers of one lock, a third one writes. The bug: it writes something else, and the readers look for ever.
// expect: none classes=6
// expect: -D BUG=1 livelock
// algorithms: every
// counts: spinning
#include "together.h"

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int ready, other;

static int is_ready(void) {
  pthread_rwlock_rdlock(&lock);
  int r = ready;
  pthread_rwlock_unlock(&lock);
  return r;
}

static void *work(void *argument) {
  if ((intptr_t)argument == 2) {
    pthread_rwlock_wrlock(&lock);
#ifdef BUG
    other = 1;
#else
    ready = 1;
#endif
    pthread_rwlock_unlock(&lock);
    return argument;
  }
  while (!is_ready()) {
  }
  return argument;
}

int main(void) {
  together(3, work);
}
