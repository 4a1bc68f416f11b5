// A thread tries again and again to take what it holds itself: a livelock, and no search without an end.
// expect: -D CASE=1 livelock
// expect: -D CASE=2 livelock
// expect: -D CASE=3 livelock
// algorithms: every
#define _GNU_SOURCE
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t checked = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *work(void *argument) {
#if CASE == 1
  pthread_mutex_lock(&mutex);
  while (pthread_mutex_trylock(&mutex) != 0) {
  }
#elif CASE == 2
  pthread_mutex_lock(&checked);
  while (pthread_mutex_lock(&checked) != 0) {
  }
#else
  pthread_rwlock_wrlock(&lock);
  while (pthread_rwlock_wrlock(&lock) != 0) {
  }
#endif
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pthread_join(thread, 0);
  return 0;
}
