// Two look under one lock until a third one has made the change. The bug: nobody makes it. That one has locked and
// unlocked after the other looked is no change.
// expect: none classes=2
// expect: -D BUG=1 livelock
// algorithms: every
// counts: spinning
#include "together.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int ready;

static int is_ready(void) {
  pthread_mutex_lock(&mutex);
  int r = ready;
  pthread_mutex_unlock(&mutex);
  return r;
}

static void *work(void *argument) {
  if ((intptr_t)argument == 2) {
    pthread_mutex_lock(&mutex);
#ifndef BUG
    ready = 1;
#endif
    pthread_mutex_unlock(&mutex);
    return argument;
  }
  while (!is_ready()) {
  }
  return argument;
}

int main(void) {
  together(3, work);
}
