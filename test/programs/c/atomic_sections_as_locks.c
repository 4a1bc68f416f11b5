// A lock as the benchmarks of SV-COMP have it: who cannot get it is not there. Data under it does not race.
// expect: --all --algorithm=optimal-dpor classes=2 none
// expect: --all --algorithm=source-dpor classes=2 none
// expect: --all --algorithm=dpor classes=2 none
// expect: --all --algorithm=exhaustive classes=2 none
// expect: --all --algorithm=unfolding classes=2 none
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void), __VERIFIER_assume(int);
static int held, data;

static void lock(void) {
  __VERIFIER_atomic_begin();
  __VERIFIER_assume(held == 0);
  held = 1;
  __VERIFIER_atomic_end();
}

static void unlock(void) {
  __VERIFIER_atomic_begin();
  held = 0;
  __VERIFIER_atomic_end();
}

static void* increments(void* a) {
  lock();
  data = data + 1;
  unlock();
  return a;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, increments, 0);
  pthread_create(&u, 0, increments, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(data == 2);
}
