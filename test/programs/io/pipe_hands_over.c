// What was done before a write is done for who has read it: a pipe hands over.
// expect: --all none
// expect: -D PAIR=1 none
// expect: -D EVENT=1 none
// expect: -D BUG=1 data-race
#include <assert.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

static int ends[2], data;

static void *give(void *argument) {
  unsigned long long one = 1;
#ifndef BUG
  data = 1;
#endif
  assert(write(ends[1], &one, sizeof one) == sizeof one);
#ifdef BUG
  data = 1;
#endif
  return argument;
}

int main(void) {
#if defined PAIR
  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
#elif defined EVENT
  ends[0] = ends[1] = eventfd(0, 0);
#else
  assert(pipe(ends) == 0);
#endif
  pthread_t t;
  pthread_create(&t, 0, give, 0);
  unsigned long long count;
  assert(read(ends[0], &count, sizeof count) == sizeof count);
  assert(count == 1);
  assert(data == 1);
  pthread_join(t, 0);
  return 0;
}
