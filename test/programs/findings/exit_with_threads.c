// main returns while a thread still has work to do.
// expect: exit-with-threads
#include <pthread.h>
#include <stdatomic.h>

atomic_int done;

static void *work(void *argument) {
  done = 1;
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  return 0;
}
