// Three threads, one critical section each: 3! orders.
// expect: classes=6 none
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int x;

static void *work(void *argument) {
  pthread_mutex_lock(&mutex);
  ++x;
  pthread_mutex_unlock(&mutex);
  return argument;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
  assert(x == 3);
  return 0;
}
