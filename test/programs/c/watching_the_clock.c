// A loop that looks at a flag and at the clock is no loop that repeats itself: it ends at its deadline, although nobody
// raises the flag.
// expect: none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

static atomic_int flag, gave_up;

static long now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void *wait_a_while(void *argument) {
  const long deadline = now() + 50;
  while (!flag) {
    if (now() > deadline) {
      gave_up = 1;
      break;
    }
    usleep(10000);
  }
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, wait_a_while, 0);
  pthread_join(thread, 0);
  assert(gave_up);
  return 0;
}
