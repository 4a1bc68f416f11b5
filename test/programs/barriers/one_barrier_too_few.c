// One array for all rounds needs two barriers a round: with one, who is fast writes while others still read.
// expect: data-race assertion
// expect: --races=explore --all assertion
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;
static int value[2];

static void *work(void *argument) {
  const int own = (int)(long)argument;
  for (int round = 1; round <= 2; ++round) {
    value[own] = round;
    pthread_barrier_wait(&barrier);
    assert(value[1 - own] == round);
  }
  return 0;
}

int main(void) {
  pthread_t threads[2];
  pthread_barrier_init(&barrier, 0, 2);
  for (long i = 0; i < 2; ++i) pthread_create(&threads[i], 0, work, (void *)i);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  return 0;
}
