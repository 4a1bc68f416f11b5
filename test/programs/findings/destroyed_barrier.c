// Two meet at a barrier for two; a third comes, too, and finds it destroyed, or takes the place of another.
// expect: --all mutex-misuse findings=2 classes=10
// algorithms: every
#include <pthread.h>

static pthread_barrier_t barrier;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int come;

static void *work(void *argument) {
  pthread_mutex_lock(&mutex);
  const int place = come++;
  pthread_mutex_unlock(&mutex);
  if (place < 2) pthread_barrier_wait(&barrier);
  return argument;
}

int main(void) {
  pthread_barrier_init(&barrier, 0, 2);
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_mutex_lock(&mutex);
  const int all = come;
  pthread_mutex_unlock(&mutex);
  if (all == 2) pthread_barrier_destroy(&barrier);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
