// Main frees the block, then a thread that has only copied the pointer reads it.
// expect: use-after-free
#include <pthread.h>
#include <stdlib.h>

int *block;
volatile int seen;

static void *use(void *argument) {
  seen = block[1];
  return argument;
}

int main(void) {
  block = calloc(4, sizeof(int));
  free(block);
  pthread_t user;
  pthread_create(&user, 0, use, 0);
  pthread_join(user, 0);
  return 0;
}
