// An access in a section and one outside of any: a data race, as with atomics and plain accesses.
// expect: --all data-race
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
static int x;

static void* inside(void* a) {
  __VERIFIER_atomic_begin();
  x = x + 1;
  __VERIFIER_atomic_end();
  return a;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, inside, 0);
  const int now = x;
  pthread_join(t, 0);
  return now > 1;
}
