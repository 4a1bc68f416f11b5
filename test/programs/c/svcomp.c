// The names of the software verification competition: inputs are chosen, assumptions cut, blocks are atomic.
// expect: none
// expect: -D BUG=1 error
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
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
  const int start = __VERIFIER_nondet_int();
  __VERIFIER_assume(start >= 0 && start <= 1);
  x = start;
  pthread_t first, second;
  pthread_create(&first, 0, increment, 0);
  pthread_create(&second, 0, increment, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  if (x != start + 2) reach_error();
  return 0;
}
