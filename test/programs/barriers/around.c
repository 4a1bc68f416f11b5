// What happens before and behind the barrier has its own orders, and no more: 3! of the additions before it, and of those
// behind it.
// expect: none classes=36
// algorithms: every
// counts: results
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_barrier_t barrier;
static atomic_int before, behind;

static void *work(void *argument) {
  ++before;
  pthread_barrier_wait(&barrier);
  ++behind;
  return argument;
}

int main(void) {
  pthread_t threads[3];
  pthread_barrier_init(&barrier, 0, 3);
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
  assert(before == 3 && behind == 3);
  return 0;
}
