// Fences make relaxed operations synchronise.
// expect: none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int data;
static atomic_int flag;

static void *produce(void *argument) {
  data = 42;
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
  return argument;
}

static void *consume(void *argument) {
  if (atomic_load_explicit(&flag, memory_order_relaxed)) {
    atomic_thread_fence(memory_order_acquire);
    assert(data == 42);
  }
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
