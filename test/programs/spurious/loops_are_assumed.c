// A loop that waits again is left alone, and the verdict says so where a condition variable is concerned; a thread that
// does not look again is found anyway, and without any wait there is nothing to assume.
// expect: --all none assumes=no-spurious-wake-ups@28
// expect: --all --spurious=off none assumes=no-spurious-wake-ups@28
// expect: --all -D ONCE=1 assertion assumes=nothing
// expect: --all -D POLLS=1 none assumes=nothing
// counts: spinning
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void* waits(void* argument) {
  pthread_mutex_lock(&lock);
#ifdef ONCE
  if (!ready)
#elif defined(POLLS)
  while (!ready) {
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
  }
  if (0)
#else
  while (!ready)
#endif
    pthread_cond_wait(&changed, &lock);
  assert(ready);
  pthread_mutex_unlock(&lock);
  return argument;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, waits, 0);
  pthread_mutex_lock(&lock);
  ready = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
  pthread_join(t, 0);
  return 0;
}
