// A plain write is the last thing a thread does, and another one's compare-and-swap depends on its value, which must be in
// the trace by then though the thread has no further operation.
// expect: --all --races=explore --algorithm=optimal-dpor classes=3 assertion
// expect: --all --races=explore --algorithm=unfolding executions=3 assertion
// expect: --all --races=explore --algorithm=contextual-unfolding executions=3 assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

int x;

static void *write_x(void *unused) {
  x = 1;
  return unused;
}

static void *swap_x(void *unused) {
  int expected = 1;
  if (__atomic_compare_exchange_n(&x, &expected, 2, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
    assert(__atomic_load_n(&x, __ATOMIC_SEQ_CST) != 2);
  else
    __atomic_load_n(&x, __ATOMIC_SEQ_CST);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, write_x, NULL);
  pthread_create(&b, NULL, swap_x, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
