// Plain memory that races, explored: no order is weaker. Where races are findings, the bug needs no assumption.
// expect: --races=explore none assumes=sequential-consistency@11,12,18,19
// expect: data-race assumes=nothing
// counts: optimiser
#include <assert.h>
#include <pthread.h>
volatile int x, y, a, b;
static void* one(void* unused) {

  (void)unused;
  x = 1;
  a = y;
  return 0;
}
static void* two(void* unused) {

  (void)unused;
  y = 1;
  b = x;
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, one, 0);
  pthread_create(&u, 0, two, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(a || b);
}
