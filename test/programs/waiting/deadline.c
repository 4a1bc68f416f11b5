// Looks every millisecond for a second, by the clock, and gives up. There are two classes: it finds the flag, or it gives up.
// The bug: it takes for granted that it has found it.
// expect: none classes=2
// expect: -D BUG=1 assertion
// algorithms: every
// exempt: gcc
#include <time.h>
#include <unistd.h>

#include "together.h"

static atomic_int done;
static int value;

static long now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000L + t.tv_nsec;
}

static void *work(void *argument) {
  value = 1;
  atomic_store(&done, 1);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  const long end = now() + 1000000000L;
  int found = 1;
  while (!atomic_load(&done)) {
    if (now() > end) {
      found = 0;
      break;
    }
    usleep(1000);
  }
#ifdef BUG
  assert(found);
#else
  if (found) assert(value == 1);
#endif
  pthread_join(thread, 0);
}
