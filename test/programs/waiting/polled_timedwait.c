// A deadline that is computed anew for every wait. The bug: nobody sets what is waited for.
// expect: none classes=6
// expect: -D BUG=1 livelock
// algorithms: every
// exempt: gcc
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int done, value;

static void *work(void *argument) {
  pthread_mutex_lock(&lock);
  value = 1;
#ifndef BUG
  done = 1;
#endif
  pthread_mutex_unlock(&lock);
  pthread_cond_signal(&changed);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  struct timespec until;
  pthread_mutex_lock(&lock);
  while (!done) {
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 10000000;
    if (until.tv_nsec >= 1000000000) {
      until.tv_nsec -= 1000000000;
      until.tv_sec++;
    }
    pthread_cond_timedwait(&changed, &lock, &until);
  }
  assert(value == 1);
  pthread_mutex_unlock(&lock);
  pthread_join(thread, 0);
}
