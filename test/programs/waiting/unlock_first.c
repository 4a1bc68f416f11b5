// A loop that is entered with a lock, gives it away in every turn and takes it again. The bug: nobody sets what it waits for.
// expect: none classes=2
// expect: -D BUG=1 livelock
// algorithms: every
// counts: spinning
#include <assert.h>
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ready;

static void* waits(void* argument) {
  pthread_mutex_lock(&lock);
  while (!ready) {
    pthread_mutex_unlock(&lock);
    sched_yield();
    pthread_mutex_lock(&lock);
  }
  pthread_mutex_unlock(&lock);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, waits, 0);
  pthread_mutex_lock(&lock);
#ifndef BUG
  ready = 1;
#endif
  pthread_mutex_unlock(&lock);
  pthread_join(thread, 0);
  return 0;
}
