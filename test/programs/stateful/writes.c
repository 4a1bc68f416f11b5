// Kähkönen's "writes": two threads write one variable twice each, in 6 orders; four threads in 2520. One execution shows what there is
// to know, and one for each pair of places in the source whose writes follow each other.
// expect: --all --races=explore --algorithm=optimal-dpor none classes=6
// expect: --all --races=explore --algorithm=stateful none
// expect: --all --races=explore --algorithm=stateful-unfolding none
// expect: --all --races=explore -D N=4 --algorithm=stateful-unfolding none
// expect: --all --races=explore -D N=4 --algorithm=stateful none
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 2
#endif

static atomic_int x;

static void* writes(void* unused) {
  atomic_store(&x, 1);
  atomic_store(&x, 2);
  return unused;
}

int main(void) {
  pthread_t threads[N];
  for (int i = 0; i < N; ++i) pthread_create(&threads[i], NULL, writes, NULL);
  for (int i = 0; i < N; ++i) pthread_join(threads[i], NULL);
  return 0;
}
