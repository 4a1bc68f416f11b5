// A null pointer is followed in one of two orders.
// expect: crash
#include <pthread.h>
#include <stdatomic.h>

int value = 3;
int *_Atomic pointer = &value;
volatile int seen;

static void *left(void *argument) {
  pointer = 0;
  return argument;
}

static void *right(void *argument) {
  seen = *pointer;
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
