// A loop that changes something with every turn is ended by the step bound, and the run is inconclusive: that its local
// state repeats itself says nothing, as what it counts in memory may end it one day.
// expect: --max-steps=100 inconclusive cut=1
// expect: --max-steps=100 -D TURNS=1000 inconclusive cut=1
// A thread that keeps nobody waiting is not cut so early.
// expect: --max-steps=100 -D ALONE=1 none classes=1
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

static void *work(void *argument) {
#ifdef ALONE
  ++x;
#elif defined TURNS
  for (volatile int i = 0; i < TURNS; ++i) ++x;
#else
  for (;;) ++x;
#endif
  return argument;
}

int main(void) {
  pthread_t thread;
#ifdef ALONE
  pthread_create(&thread, 0, work, 0);
  pthread_join(thread, 0);
  while (x < 1000) ++x;
  return 0;
#endif
  pthread_create(&thread, 0, work, 0);
  pthread_join(thread, 0);
  return 0;
}
