// Waits for a semaphore for a second, as often as it takes. The bug: nobody posts.
// expect: none classes=1
// expect: -D BUG=1 livelock
// algorithms: every
// exempt: gcc
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t ready;
static int value;

static void *work(void *argument) {
  value = 1;
#ifndef BUG
  sem_post(&ready);
#endif
  return argument;
}

int main(void) {
  sem_init(&ready, 0, 0);
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  struct timespec until;
  do {
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 1;
  } while (sem_timedwait(&ready, &until) != 0);
  assert(value == 1);
  pthread_join(thread, 0);
}
