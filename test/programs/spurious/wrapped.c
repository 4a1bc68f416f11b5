// One function waits for everybody: that the thread who calls it in a loop is right says nothing of the one who does not.
// expect: assertion
// expect: --all assertion classes=19 failed=3
// expect: --spurious=off none
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void __attribute__((noinline)) wait_once(void) { pthread_cond_wait(&changed, &mutex); }

static void *careful(void *argument) {
  pthread_mutex_lock(&mutex);
  while (!ready) wait_once();
  pthread_mutex_unlock(&mutex);
  return argument;
}

static void *careless(void *argument) {
  pthread_mutex_lock(&mutex);
  if (!ready) wait_once();
  assert(ready);
  pthread_mutex_unlock(&mutex);
  return argument;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, careful, 0);
  pthread_create(&b, 0, careless, 0);
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
