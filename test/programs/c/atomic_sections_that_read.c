// Sections that only read do not tell their order; one that may write does.
// flags: -DREADERS=3
// expect: --all --races=explore --algorithm=optimal-dpor classes=16 none
// expect: --all --races=explore --algorithm=source-dpor classes=16 none
// expect: --all --races=explore --algorithm=dpor classes=16 none
// expect: --all --races=explore --algorithm=exhaustive classes=16 none
// expect: --all --races=explore --algorithm=unfolding classes=16 none
#include <pthread.h>
#include <stdbool.h>

extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
extern bool __VERIFIER_nondet_bool(void);
int x, y;

static void* reads(void* a) {
  __VERIFIER_atomic_begin();
  const int sum = x + y;
  __VERIFIER_atomic_end();
  return sum > 2 ? a : 0;
}

static void* may_write(void* a) {
  __VERIFIER_atomic_begin();
  if (x == 0 && __VERIFIER_nondet_bool()) y = 2;
  __VERIFIER_atomic_end();
  return a;
}

int main(void) {
  pthread_t t[READERS], w;
  for (int i = 0; i < READERS; ++i) pthread_create(&t[i], 0, reads, 0);
  pthread_create(&w, 0, may_write, 0);
  for (int i = 0; i < READERS; ++i) pthread_join(t[i], 0);
  pthread_join(w, 0);
}
