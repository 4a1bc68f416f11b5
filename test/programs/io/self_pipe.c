// The way to end a thread that polls: a byte in a pipe.
// expect: --all none assumes=nothing
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int stop[2], work_to_do;

static void *work(void *argument) {
  struct pollfd waits[] = {{work_to_do, POLLIN, 0}, {stop[0], POLLIN, 0}};
  for (;;) {
    assert(poll(waits, 2, -1) > 0);
    eventfd_t count;
    if (waits[0].revents & POLLIN) eventfd_read(work_to_do, &count);
    if (waits[1].revents & POLLIN) return argument;
  }
}

int main(void) {
  assert(pipe(stop) == 0);
  work_to_do = eventfd(0, 0);
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  eventfd_write(work_to_do, 1);
  assert(write(stop[1], "x", 1) == 1);
  pthread_join(t, 0);
  return 0;
}
