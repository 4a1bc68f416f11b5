// The program reports an error by its exit code, in one of two orders.
// expect: exit-code
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

static void *work(void *argument) {
  x = 1;
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  const int seen = x;
  pthread_join(thread, 0);
  return seen;
}
