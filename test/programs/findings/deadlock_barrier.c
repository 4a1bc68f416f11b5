// A barrier for three, but only two come.
// expect: deadlock
#include <pthread.h>

static pthread_barrier_t barrier;

static void *work(void *argument) {
  pthread_barrier_wait(&barrier);
  return argument;
}

int main(void) {
  pthread_t first, second;
  pthread_barrier_init(&barrier, 0, 3);
  pthread_create(&first, 0, work, 0);
  pthread_create(&second, 0, work, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
