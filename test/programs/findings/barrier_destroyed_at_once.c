// A barrier is destroyed before either of two has come, after one of them, or after both. Who comes to one that is no more is told
// so, each in its own place.
// expect: --all mutex-misuse findings=3 classes=3
// algorithms: every
#include <pthread.h>

static pthread_barrier_t barrier;

static void *first(void *argument) {
  pthread_barrier_wait(&barrier);
  return argument;
}

static void *second(void *argument) {
  pthread_barrier_wait(&barrier);
  return argument;
}

int main(void) {
  pthread_barrier_init(&barrier, 0, 2);
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_barrier_destroy(&barrier);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
