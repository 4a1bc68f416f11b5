// A reader waits until the last writer closes.
// expect: --all none assumes=nothing
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *put(void *argument) {
  assert(write(ends[1], "x", 1) == 1);
  close(ends[1]);
  return argument;
}

int main(void) {
  assert(pipe(ends) == 0);
  pthread_t t;
  pthread_create(&t, 0, put, 0);
  char byte;
  int sum = 0;
  while (read(ends[0], &byte, 1) == 1) ++sum;
  assert(sum == 1);
  pthread_join(t, 0);
  return 0;
}
