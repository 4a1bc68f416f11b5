// One byte too far.
// expect: heap-overflow
#include <pthread.h>
#include <stdlib.h>

static void *fill(void *argument) {
  volatile char *bytes = argument;
  for (int i = 0; i <= 24; ++i) bytes[i] = 1;
  return 0;
}

int main(void) {
  pthread_t thread;
  char *block = malloc(24);
  pthread_create(&thread, 0, fill, block);
  pthread_join(thread, 0);
  free(block);
  return 0;
}
