// Both threads think they are the last.
// expect: double-free
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_int users = 2;
void *block;

static void *release(void *argument) {
  const int left = users;
  users = left - 1;
  if (left - 1 == 0 || users == 0) free(block);
  return argument;
}

int main(void) {
  block = malloc(16);
  pthread_t first, second;
  pthread_create(&first, 0, release, 0);
  pthread_create(&second, 0, release, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
