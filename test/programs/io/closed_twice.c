// Two threads close one descriptor: the second finds it closed.
// expect: --all assertion
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *work(void *argument) {
  close(ends[0]);
  return argument;
}

int main(void) {
  assert(pipe(ends) == 0);
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  assert(close(ends[0]) == 0);
  pthread_join(t, 0);
  return 0;
}
