// One gigabyte, of which a few pages are touched, in every execution.
// expect: classes=6 none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_int x;

static void *work(void *argument) {
  ++x;
  ++x;
  return argument;
}

int main(void) {
  const size_t size = (size_t)1 << 30;
  char *block = malloc(size);
  assert(block);
  for (size_t at = 0; at < size; at += size / 16) {
    block[at] = 1;
  }
  pthread_t first, second;
  pthread_create(&first, 0, work, 0);
  pthread_create(&second, 0, work, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  free(block);
  return 0;
}
