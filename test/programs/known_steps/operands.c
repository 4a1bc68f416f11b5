// What an operation is given in registers belongs to the thread's past: stored values, operands, expected and desired values,
// memory orders that are no constants.
// followed: 379 of 472
// options: --memory=sc
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int x;
static _Atomic uint8_t small;
static _Atomic uint64_t large;
static atomic_int turns;

static void *work(void *argument) {
  const int n = (int)(intptr_t)argument;
  for (int i = 0; i < 2; ++i) {
    const int seen = atomic_load_explicit(&x, i == n ? memory_order_relaxed : memory_order_seq_cst);
    atomic_store(&x, seen * 3 + n);
    atomic_fetch_add(&small, (uint8_t)(seen + i));
  }
  uint64_t expected = atomic_load(&large);
  while (!atomic_compare_exchange_strong(&large, &expected, expected * 2 + (uint64_t)n)) atomic_fetch_add(&turns, 1);
  return NULL;
}

int main(void) {
  pthread_t t[2];
  for (intptr_t i = 0; i < 2; ++i) pthread_create(&t[i], NULL, work, (void *)(i + 1));
  for (int i = 0; i < 2; ++i) pthread_join(t[i], NULL);
  return 0;
}
