// Whoever reads first takes all that is there, and the other one waits for ever: a pipe is no semaphore.
// expect: --all deadlock classes=2 deadlocked=2
// algorithms: every
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *take(void *argument) {
  char bytes[8];
  assert(read(ends[0], bytes, sizeof bytes) == 4);
  return argument;
}

int main(void) {
  assert(pipe(ends) == 0);
  pthread_t one, other;
  pthread_create(&one, 0, take, 0);
  pthread_create(&other, 0, take, 0);
  assert(write(ends[1], "four", 4) == 4);
  pthread_join(one, 0);
  pthread_join(other, 0);
  return 0;
}
