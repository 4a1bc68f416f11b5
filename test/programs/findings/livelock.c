// A thread spins for a flag that nobody raises.
// expect: --max-steps=200 livelock
#include <pthread.h>
#include <stdatomic.h>

atomic_int flag;

static void *spin(void *argument) {
  while (!flag) {
  }
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, spin, 0);
  pthread_join(thread, 0);
  return 0;
}
