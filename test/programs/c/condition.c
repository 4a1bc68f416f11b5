// A condition variable used as it should be, with a loop.
// expect: none
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int items;

static void *consume(void *argument) {
  pthread_mutex_lock(&mutex);
  while (items == 0) pthread_cond_wait(&changed, &mutex);
  --items;
  pthread_mutex_unlock(&mutex);
  return argument;
}

static void *produce(void *argument) {
  for (int i = 0; i < 2; ++i) {
    pthread_mutex_lock(&mutex);
    ++items;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
  }
  return argument;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], 0, consume, 0);
  pthread_create(&threads[1], 0, consume, 0);
  pthread_create(&threads[2], 0, produce, 0);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
  assert(items == 0);
  return 0;
}
