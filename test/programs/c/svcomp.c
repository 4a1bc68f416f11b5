// The names of the software verification competition: assumptions cut, blocks are atomic, truth values are
// explored both ways.
// expect: --races=explore none
// expect: --races=explore -D BUG=1 error
#include <pthread.h>

#include <stdbool.h>

extern void __VERIFIER_assume(int);
extern bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void reach_error(void);

volatile int x;

static void *increment(void *argument) {
#ifndef BUG
  __VERIFIER_atomic_begin();
#endif
  x = x + 1;
#ifndef BUG
  __VERIFIER_atomic_end();
#endif
  return argument;
}

int main(void) {
  const int start = __VERIFIER_nondet_bool() ? 1 : 7;
  x = start;
  pthread_t first, second;
  pthread_create(&first, 0, increment, 0);
  pthread_create(&second, 0, increment, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  __VERIFIER_assume(x > 0);
  if (x != start + 2) reach_error();
  return 0;
}
