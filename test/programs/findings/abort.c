// abort() in one of two orders.
// expect: abort
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_int x;

static void *left(void *argument) {
  x = 1;
  return argument;
}

static void *right(void *argument) {
  if (x == 1) abort();
  return argument;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, left, 0);
  pthread_create(&second, 0, right, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
