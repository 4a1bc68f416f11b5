// A thread ends the process while others are at work: their states are covered all the same, and the code it exits with
// depends on what it saw. That work is lost with it depends on two threads at once; it is searched for in the unfolding.
// expect: --all --algorithm=optimal-dpor exit-code assertion exit-with-threads
// expect: --all --algorithm=unfolding exit-code assertion exit-with-threads
// expect: --all --algorithm=contextual-unfolding exit-code assertion exit-with-threads
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x, y;

static void *leave(void *unused) {
  if (x == 2) exit(1);
  if (y == 1) exit(0);
  return unused;
}

static void *work(void *unused) {
  x = 1;
  x = 2;
  assert(y == 0);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, leave, NULL);
  pthread_create(&b, NULL, work, NULL);
  y = 1;
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
