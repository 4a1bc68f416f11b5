// The result is kept in a variable that nobody looks at: that is not looking.
// expect: none classes=1
// counts: results
#include <pthread.h>

static pthread_barrier_t barrier;

static void *work(void *argument) {
  int result = pthread_barrier_wait(&barrier);
  (void)argument;
  result = pthread_barrier_wait(&barrier);
  (void)sizeof result;
  return 0;
}

int main(void) {
  pthread_t threads[3];
  pthread_barrier_init(&barrier, 0, 3);
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
  return 0;
}
