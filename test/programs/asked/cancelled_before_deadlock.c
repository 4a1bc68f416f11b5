// A thread with a request that it has not come to act upon waits for a lock for ever: that is no cancellation point, and the
// deadlock is one. Spurious wake-ups on the way make no difference.
// expect: --all deadlock
// expect: --all --algorithm=exhaustive deadlock
// expect: --all --algorithm=unfolding deadlock
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void* waits(void* argument) {
  pthread_mutex_lock(&lock);
  if (argument) pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
  pthread_mutex_lock(&other);
  pthread_mutex_unlock(&other);
  return argument;
}

int main(void) {
  pthread_t t;
  pthread_mutex_lock(&other);
  pthread_create(&t, 0, waits, 0);
  pthread_cancel(t);
  pthread_join(t, 0);
  pthread_mutex_unlock(&other);
  return 0;
}
