// free() of the inside of a block.
// expect: invalid-free
#include <pthread.h>
#include <stdlib.h>

static void *release(void *argument) {
  free((char *)argument + 8);
  return 0;
}

int main(void) {
  pthread_t thread;
  char *volatile block = malloc(64);
  pthread_create(&thread, 0, release, block);
  pthread_join(thread, 0);
  return 0;
}
