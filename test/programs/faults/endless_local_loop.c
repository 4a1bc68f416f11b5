// A loop without visible operations is ended by the clock.
// expect: livelock
// configurations: one
#include <pthread.h>

static volatile int zero;

static void *work(void *argument) {
  volatile int own = 0;
  while (own == 0) {
  }
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pthread_join(thread, 0);
  return zero;
}
