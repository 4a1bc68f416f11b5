// A program of the software verification competition: it defines __VERIFIER_assert and reach_error itself, and says its
// assumptions with __VERIFIER_assume.
// expect: none
// expect: -D LOST=1 assertion
// configurations: one
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);

void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

#ifndef LOST
#define LOST 0
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned step, sum;

static void *add(void *unused) {
  pthread_mutex_lock(&mutex);
  unsigned before = sum;
  if (LOST) {
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&mutex);
  }
  sum = before + step;
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  step = __VERIFIER_nondet_uint();
  __VERIFIER_assume(step > 0 && step < 10);
  pthread_t one, two;
  pthread_create(&one, 0, add, 0);
  pthread_create(&two, 0, add, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  __VERIFIER_assert(sum == 2 * step);
  return 0;
}
