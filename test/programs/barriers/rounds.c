// N threads do their own work and meet, again and again: one class, where the orders of arrival make N! to the number of
// rounds (120 and 14,400 for five threads).
// expect: -D N=2 -D ROUNDS=1 none classes=1
// expect: -D N=5 -D ROUNDS=1 none classes=1
// expect: -D N=5 -D ROUNDS=2 none classes=1 deadlocked=0
// expect: -D N=12 -D ROUNDS=6 none classes=1
// algorithms: every
// counts: results
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;
static int value[2][N];

static void *work(void *argument) {
  const int own = (int)(long)argument;
  for (int round = 1; round <= ROUNDS; ++round) {
    value[round % 2][own] = round;
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < N; ++i) assert(value[round % 2][i] == round);
  }
  return 0;
}

int main(void) {
  pthread_t threads[N];
  pthread_barrier_init(&barrier, 0, N);
  for (long i = 0; i < N; ++i) pthread_create(&threads[i], 0, work, (void *)i);
  for (int i = 0; i < N; ++i) pthread_join(threads[i], 0);
  pthread_barrier_destroy(&barrier);
  return 0;
}
