// Two threads compare and swap values that depend on inputs: each is taken as it is, and what the one is taken for says nothing of
// the other, which cannot even have that value. (It was, and the execution was then called infeasible.)
// The other has two values, 8 and 12, and both are explored.
// expect: --all classes=2 failed=0
// configurations: one
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *other(void *unused) {
  int wanted = (heddle_input_int("w") & 4) | 8;
  atomic_compare_exchange_strong(&y, &wanted, 5);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  int wanted = heddle_input_int("v") + 1;
  atomic_compare_exchange_strong(&x, &wanted, 5);
  pthread_join(thread, 0);
  return 0;
}
