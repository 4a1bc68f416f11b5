// The range of a memcpy overlaps another thread's write by one byte.
// expect: data-race
#include <pthread.h>
#include <string.h>

char shared[64], copy[64];

static void *copy_out(void *argument) {
  memcpy(copy, shared, 33);
  return argument;
}

static void *write_one(void *argument) {
  shared[32] = 1;
  return argument;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, copy_out, 0);
  pthread_create(&second, 0, write_one, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
