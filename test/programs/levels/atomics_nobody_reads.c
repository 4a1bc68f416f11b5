// Atomics of one file only, whose values nobody uses: steps as everywhere.
// expect: --all --races=explore none
#include <pthread.h>
#include <stdatomic.h>

static atomic_int written, looked_at, counted;
static _Atomic(int*) pointer;
static int place;

static void* first(void* a) {
  atomic_store_explicit(&written, 1, memory_order_relaxed);
  (void)atomic_load_explicit(&looked_at, memory_order_relaxed);
  atomic_fetch_add_explicit(&counted, 0, memory_order_relaxed);
  atomic_store(&pointer, &place);
  return a;
}

static void* second(void* a) {
  atomic_store_explicit(&written, 2, memory_order_relaxed);
  atomic_store(&looked_at, 1);
  atomic_fetch_or(&counted, 1);
  (void)atomic_load(&pointer);
  return a;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, first, 0);
  pthread_create(&u, 0, second, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
}
