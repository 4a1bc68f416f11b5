// Sleeping takes no time, clocks do not go back, and the same seed gives the same numbers.
// expect: none
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static void *work(void *argument) {
  struct timespec before, after, hour = {3600, 0};
  clock_gettime(CLOCK_MONOTONIC, &before);
  sched_yield();
  nanosleep(&hour, 0);
  usleep(1000);
  sleep(3600);
  clock_gettime(CLOCK_MONOTONIC, &after);
  assert(after.tv_sec > before.tv_sec || (after.tv_sec == before.tv_sec && after.tv_nsec >= before.tv_nsec));
  return argument;
}

int main(void) {
  pthread_t first, second;
  srand(7);
  const int drawn = rand();
  srand(7);
  assert(drawn == rand());
  pthread_create(&first, 0, work, 0);
  pthread_create(&second, 0, work, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
