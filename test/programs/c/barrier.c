// A barrier lets three go together, and tells exactly one of them.
// expect: none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_barrier_t barrier;
static atomic_int before, serial;

static void *work(void *argument) {
  ++before;
  if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) ++serial;
  assert(before == 3);
  return argument;
}

int main(void) {
  pthread_barrier_init(&barrier, 0, 3);
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
  assert(serial == 1);
  return 0;
}
