// Kähkönen's fib: two threads add to what they read of each other. Origins of values hardly ever meet, so nothing is saved but what
// contextual unfoldings save, too; the answers are the same.
// expect: --algorithm=optimal-dpor none classes=19
// expect: --algorithm=stateful none
// expect: --algorithm=stateful-unfolding none
// expect: -D LIMIT=8 --algorithm=stateful assertion
// expect: -D LIMIT=8 --algorithm=stateful-unfolding assertion
// expect: -D LIMIT=9 --algorithm=stateful none
// expect: -D LIMIT=9 --algorithm=stateful-unfolding none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef LIMIT
#define LIMIT 100
#endif

static atomic_int i = 1, j = 1;

static void* first(void* unused) {
  for (int k = 0; k < 2; ++k) {
    const int sum = i + j;
    assert(sum < LIMIT);
    i = sum;
  }
  return unused;
}

static void* second(void* unused) {
  for (int k = 0; k < 2; ++k) {
    const int sum = j + i;
    assert(sum < LIMIT);
    j = sum;
  }
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
