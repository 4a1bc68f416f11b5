// Behind a barrier any thread may go on first: that is no pre-emption.
// expect: --preemptions=0 --all assertion failed=1 classes=2
// expect: -D SECOND=1 --preemptions=0 --all assertion failed=1 classes=2
// counts: results
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_barrier_t barrier;
static atomic_int last;

static void *work(void *argument) {
  pthread_barrier_wait(&barrier);
  last = (int)(long)argument;
  return 0;
}

int main(void) {
  pthread_t threads[2];
  pthread_barrier_init(&barrier, 0, 2);
  for (long i = 0; i < 2; ++i) pthread_create(&threads[i], 0, work, (void *)(i + 1));
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
#ifdef SECOND
  assert(last == 1);
#else
  assert(last == 2);
#endif
  return 0;
}
