// The loop around a weak exchange: either nobody comes in between, or the second try succeeds.
// expect: none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int value = 1;

static void *twice(void *argument) {
  int old = atomic_load(&value);
  while (!atomic_compare_exchange_weak(&value, &old, old * 2)) {
  }
  return argument;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, twice, 0);
  pthread_create(&second, 0, twice, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(value == 4);
  return 0;
}
