// A pipe that is not to be waited for: it may be empty still.
// expect: --all assertion
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *take(void *argument) {
  char byte;
  assert(read(ends[0], &byte, 1) == 1);
  return argument;
}

int main(void) {
  assert(pipe(ends) == 0);
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  pthread_t t;
  pthread_create(&t, 0, take, 0);
  assert(write(ends[1], "x", 1) == 1);
  pthread_join(t, 0);
  return 0;
}
