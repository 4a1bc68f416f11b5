// expect: verdict=bug finding:double-free=1
// options: --all --races=ignore
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(void*) slot;

static void* drop(void* x) {
  void* p = atomic_load(&slot);
  if (p) {
    atomic_store(&slot, NULL);
    free(p);
  }
  return x;
}

int main(void) {
  pthread_t a, b;
  atomic_store(&slot, malloc(8));
  pthread_create(&a, NULL, drop, NULL);
  pthread_create(&b, NULL, drop, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
