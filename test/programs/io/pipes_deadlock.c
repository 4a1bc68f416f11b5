// Each waits for the other to write first.
// expect: --all deadlock
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int one[2], two[2];

static void *work(void *argument) {
  char byte;
  read(one[0], &byte, 1);
  write(two[1], "x", 1);
  return argument;
}

int main(void) {
  assert(pipe(one) == 0 && pipe(two) == 0);
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  char byte;
  read(two[0], &byte, 1);
  write(one[1], "x", 1);
  pthread_join(t, 0);
  return 0;
}
