// Two try for a lock and look under it, one of them for what the other one sets. The bug: each waits for the other to begin.
// expect: none classes=1
// expect: -D BUG=1 livelock
// algorithms: every
#include "together.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int begun[2];

static int has_begun(int who) {
  if (pthread_mutex_trylock(&mutex) != 0)
    return 0;
  int b = begun[who];
  pthread_mutex_unlock(&mutex);
  return b;
}

static void begin(int who) {
  pthread_mutex_lock(&mutex);
  begun[who] = 1;
  pthread_mutex_unlock(&mutex);
}

static void *work(void *argument) {
  int me = (int)(intptr_t)argument;
#ifndef BUG
  if (me == 0)
    begin(me);
#endif
  while (!has_begun(1 - me)) {
  }
  begin(me);
  return argument;
}

int main(void) {
  together(2, work);
}
