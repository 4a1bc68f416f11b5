// The same with select; nobody writes to the second pipe, and the second wait is for ever.
// expect: --all deadlock
// algorithms: every
#include <assert.h>
#include <pthread.h>
#include <sys/select.h>
#include <unistd.h>

static int first[2], second[2];

static void *write_first(void *argument) {
  assert(write(first[1], "a", 1) == 1);
  return argument;
}

int main(void) {
  assert(pipe(first) == 0 && pipe(second) == 0);
  pthread_t writer;
  pthread_create(&writer, 0, write_first, 0);
  const int limit = (first[0] > second[0] ? first[0] : second[0]) + 1;
  for (int got = 0; got < 2;) {
    fd_set asked;
    FD_ZERO(&asked);
    FD_SET(first[0], &asked);
    FD_SET(second[0], &asked);
    assert(select(limit, &asked, 0, 0, 0) == 1);
    assert(FD_ISSET(first[0], &asked) && !FD_ISSET(second[0], &asked));
    char byte;
    assert(read(first[0], &byte, 1) == 1);
    ++got;
  }
  pthread_join(writer, 0);
  return 0;
}
