// Who is told destroys the barrier and gives its memory back, while others are about to leave it: that is allowed.
// expect: none classes=2
// counts: results
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_barrier_t *barrier;

static void *work(void *argument) {
  if (pthread_barrier_wait(barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
    pthread_barrier_destroy(barrier);
    memset(barrier, 0xff, sizeof *barrier);
    free(barrier);
  }
  return argument;
}

int main(void) {
  pthread_t other;
  barrier = malloc(sizeof *barrier);
  pthread_barrier_init(barrier, 0, 2);
  pthread_create(&other, 0, work, 0);
  work(0);
  pthread_join(other, 0);
  return 0;
}
