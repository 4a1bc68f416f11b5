// Two threads poll for a time at one condition variable. What one of them changes of the queue in passing is no change for the
// other one. The bug: only one of two flags is ever set.
// expect: none
// expect: -D BUG=1 livelock
// algorithms: every
// exempt: gcc
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int done;

static void *waits(void *argument) {
  pthread_mutex_lock(&lock);
  while (done < (argument ? 2 : 1)) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 1;
    pthread_cond_timedwait(&changed, &lock, &until);
  }
#ifndef BUG
  if (!argument) done = 2;
#endif
  pthread_mutex_unlock(&lock);
  return argument;
}

int main(void) {
  pthread_t first, second;
  done = 1;
  pthread_create(&first, 0, waits, 0);
  pthread_create(&second, 0, waits, &second);
  pthread_join(first, 0);
  pthread_join(second, 0);
}
