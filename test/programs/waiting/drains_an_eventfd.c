// A loop that drains what the kernel keeps: one day it is empty.
// expect: --all assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

static atomic_int done;
static int events;

static void *drain(void *argument) {
  uint64_t one;
  while (!done)
    if (read(events, &one, sizeof one) != sizeof one) break;
  assert(done);
  return argument;
}

int main(void) {
  events = eventfd(5, EFD_SEMAPHORE | EFD_NONBLOCK);
  pthread_t t;
  pthread_create(&t, 0, drain, 0);
  done = 1;
  pthread_join(t, 0);
  return 0;
}
