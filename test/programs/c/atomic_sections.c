// Sections are indivisible for everybody, also for those who are in none: nobody sees x and y differ, or the lock halfway.
// Two sections, on one place with the plain access: who comes first.
// expect: --all --races=explore --algorithm=optimal-dpor classes=6 none
// expect: --all --races=explore --algorithm=source-dpor classes=6 none
// expect: --all --races=explore --algorithm=dpor classes=6 none
// expect: --all --races=explore --algorithm=exhaustive classes=6 none
// expect: --all --races=explore --algorithm=unfolding classes=6 none
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
static volatile int x, y, seen;

static void* moves(void* a) {
  __VERIFIER_atomic_begin();
  x = x + 1;
  y = x;
  __VERIFIER_atomic_end();
  return a;
}

static void* compares(void* a) {
  __VERIFIER_atomic_begin();
  __VERIFIER_atomic_begin();   // they may be nested
  seen = x - y;
  __VERIFIER_atomic_end();
  assert(seen == 0);
  __VERIFIER_atomic_end();
  return a;
}

static void* looks(void* a) {
  const int now = x;
  assert(now >= 0 && now <= 1);
  return a;
}

int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, moves, 0);
  pthread_create(&t[1], 0, compares, 0);
  pthread_create(&t[2], 0, looks, 0);
  for (int i = 0; i < 3; ++i) pthread_join(t[i], 0);
}
