// Release and acquire publish plain data: three classes, no race.
// expect: classes=3 none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int data;
static atomic_int hint, flag;

static void *produce(void *argument) {
  data = 42;
  atomic_store_explicit(&hint, 1, memory_order_relaxed);
  atomic_store_explicit(&flag, 1, memory_order_release);
  return argument;
}

static void *consume(void *argument) {
  if (atomic_load_explicit(&flag, memory_order_acquire)) assert(data == 42);
  (void)atomic_load_explicit(&hint, memory_order_relaxed);
  return argument;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, produce, 0);
  pthread_create(&second, 0, consume, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
