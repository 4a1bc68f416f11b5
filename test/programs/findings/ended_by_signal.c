// A signal that nobody handles ends the program, in one of the two orders.
// expect: crash
// expect: --all crash classes=2 failed=1
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

static atomic_int x;

static void *thread(void *argument) {
  if (x == 1) raise(SIGTERM);
  return argument;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, thread, 0);
  x = 1;
  pthread_join(t, 0);
  return 0;
}
