// A thread waits in the kernel for what another one would do: that is not controlled, and said with the place.
// expect: --all inconclusive reason=system
// expect: --all --backend=threads inconclusive reason=system
// configurations: one
#include <assert.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int event, set;

static void *work(void *argument) {
  struct epoll_event found;
  assert(epoll_wait(set, &found, 1, -1) == 1);
  return argument;
}

int main(void) {
  event = eventfd(0, 0);
  set = epoll_create1(0);
  struct epoll_event wanted = {.events = EPOLLIN};
  epoll_ctl(set, EPOLL_CTL_ADD, event, &wanted);
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  pthread_join(t, 0);
  return 0;
}
