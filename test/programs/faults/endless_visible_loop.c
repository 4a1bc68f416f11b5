// A loop with visible operations is ended by the step bound; here it is seen to be endless. One that counts its turns is
// only cut.
// expect: --max-steps=100 livelock
// expect: --max-steps=100 -D TURNS=1000 cut=1
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

static void *work(void *argument) {
#ifdef TURNS
  for (volatile int i = 0; i < TURNS; ++i) ++x;
#else
  for (;;) ++x;
#endif
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pthread_join(thread, 0);
  return 0;
}
