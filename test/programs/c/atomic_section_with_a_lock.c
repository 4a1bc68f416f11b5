// What may wait is no part of a section; the result says so.
// expect: --all inconclusive
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void* locks(void* a) {
  __VERIFIER_atomic_begin();
  pthread_mutex_lock(&m);
  x = 1;
  pthread_mutex_unlock(&m);
  __VERIFIER_atomic_end();
  return a;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, locks, 0);
  pthread_join(t, 0);
  return x != 1;
}
