// A thread that only sleeps and looks at plain memory lets the others run: the race is found, not the time used up.
// expect: --max-steps=50 data-race
// expect: -D YIELD=1 --max-steps=50 data-race
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

static int shared = 5;

static void *bump(void *argument) {
  ++shared;
  return argument;
}

int main(void) {
  int wanted = 6;
  pthread_t t;
  pthread_create(&t, 0, bump, 0);
  while (shared != wanted) {
#ifdef YIELD
    sched_yield();
#else
    usleep(100);
#endif
    ++shared;
    ++wanted;
  }
  pthread_join(t, 0);
  return 0;
}
