// Waits for either of two pipes. What it is told is what it found when it looked at each: a byte that comes to the first
// one while it looks at the second one is there the next time.
// expect: --all none
// algorithms: every
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

static int first[2], second[2];

static void *write_first(void *argument) {
  assert(write(first[1], "a", 1) == 1);
  return argument;
}

static void *write_second(void *argument) {
  assert(write(second[1], "b", 1) == 1);
  return argument;
}

int main(void) {
  assert(pipe(first) == 0 && pipe(second) == 0);
  pthread_t one, other;
  pthread_create(&one, 0, write_first, 0);
  pthread_create(&other, 0, write_second, 0);
  struct pollfd asked[] = {{first[0], POLLIN, 0}, {second[0], POLLIN, 0}};
  char byte;
  for (int got = 0; got < 2;) {
    int ready = poll(asked, 2, -1);
    assert(ready > 0);
    for (int i = 0; i < 2; ++i)
      if (asked[i].revents & POLLIN) {
        assert(read(asked[i].fd, &byte, 1) == 1);
        assert(byte == (i == 0 ? 'a' : 'b'));
        ++got;
        --ready;
      }
    assert(ready == 0);
  }
  pthread_join(one, 0);
  pthread_join(other, 0);
  return 0;
}
