// A barrier that is initialised anew is another one, and other threads may use it: one class. Where a second team uses
// the barrier of the first as it is, more threads use it than it needs, and the orders of arrival count: 2! for each
// of the four rounds.
// expect: -D ANEW=1 none classes=1
// expect: none classes=16
// algorithms: every
// counts: results
#include <pthread.h>

static pthread_barrier_t barrier;

static void *work(void *argument) {
  pthread_barrier_wait(&barrier);
  pthread_barrier_wait(&barrier);
  return argument;
}

int main(void) {
  for (int team = 0; team < 2; ++team) {
    pthread_t threads[2];
#ifdef ANEW
    pthread_barrier_init(&barrier, 0, 2);
#else
    if (team == 0) pthread_barrier_init(&barrier, 0, 2);
#endif
    for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
#ifdef ANEW
    pthread_barrier_destroy(&barrier);
#endif
  }
  return 0;
}
