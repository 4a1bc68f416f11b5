// A timed wait ends by a signal or by itself: nobody waits for ever.
// expect: none
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int go;

static void *wait_a_little(void *argument) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += 1;
  pthread_mutex_lock(&mutex);
  int code = 0;
  while (!go && code == 0) code = pthread_cond_timedwait(&changed, &mutex, &until);
  assert(go || code == ETIMEDOUT);
  pthread_mutex_unlock(&mutex);
  return argument;
}

int main(void) {
  pthread_t waiter;
  pthread_create(&waiter, 0, wait_a_little, 0);
  pthread_mutex_lock(&mutex);
  go = 1;
  pthread_mutex_unlock(&mutex);
  pthread_cond_signal(&changed);
  pthread_join(waiter, 0);
  return 0;
}
