// One is told to be the serial thread: one class for each that looks, and one if somebody else may be it, in every round.
// expect: -D LOOKERS=3 -D ROUNDS=1 none classes=3
// expect: -D LOOKERS=3 -D ROUNDS=2 none classes=9
// expect: -D LOOKERS=1 -D ROUNDS=1 none classes=2
// expect: -D LOOKERS=2 -D ROUNDS=2 none classes=9
// expect: -D LOOKERS=3 -D ROUNDS=1 -D FIRST=1 --all assertion failed=1 classes=3
// algorithms: every
// counts: results
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;
static int told[2][3];

static void *work(void *argument) {
  const int own = (int)(long)argument;
  for (int round = 0; round < ROUNDS; ++round) {
    if (own < LOOKERS)
      told[round][own] = pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
    else
      pthread_barrier_wait(&barrier);
  }
  return 0;
}

int main(void) {
  pthread_t threads[3];
  pthread_barrier_init(&barrier, 0, 3);
  for (long i = 0; i < 3; ++i) pthread_create(&threads[i], 0, work, (void *)i);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
  for (int round = 0; round < ROUNDS; ++round) {
    const int all = told[round][0] + told[round][1] + told[round][2];
    assert(LOOKERS == 3 ? all == 1 : all <= 1);
  }
#ifdef FIRST
  assert(!told[0][0]);
#endif
  return 0;
}
