// Two threads, each a load and a store.
// expect: --all classes=4 failed=2 assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *increment(void *argument) {
  const int seen = atomic_load(&x);
  atomic_store(&x, seen + 1);
  return argument;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, increment, 0);
  pthread_create(&second, 0, increment, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(x == 2);
  return 0;
}
