// A loop with visible operations is ended by the step bound.
// expect: --max-steps=100 cut=1
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

static void *work(void *argument) {
  for (;;) ++x;
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pthread_join(thread, 0);
  return 0;
}
