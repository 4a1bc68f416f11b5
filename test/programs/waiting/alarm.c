// A loop that waits for a timer's signal. Timers never run out here: that is no livelock, and the verdict says what was not
// looked at.
// expect: inconclusive
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int rang;

static void ring(int signal) {
  (void)signal;
  rang = 1;
}

static void *idle(void *argument) { return argument; }

int main(void) {
  signal(SIGALRM, ring);
  pthread_t t;
  pthread_create(&t, 0, idle, 0);
  alarm(1);
  while (!rang) {}
  pthread_join(t, 0);
  return 0;
}
