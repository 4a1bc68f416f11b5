// Asking whether a thread has ended is refused.
// expect: error:pthread_tryjoin_np
#define _GNU_SOURCE
#include <pthread.h>

static void *work(void *argument) { return argument; }

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  while (pthread_tryjoin_np(thread, 0) != 0) {
  }
  return 0;
}
