// Sleeping and yielding are no operations: two threads that do it have the classes of two that do not.
// expect: none classes=2
// expect: -D SLEEPS=9 none classes=2
// expect: -D SLEEPS=9 --algorithm=source-dpor none classes=2
// expect: -D SLEEPS=9 --algorithm=unfolding none
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

#ifndef SLEEPS
#define SLEEPS 0
#endif

static atomic_int x;

static void *work(void *argument) {
  for (int i = 0; i < SLEEPS; ++i) usleep(10);
  ++x;
  for (int i = 0; i < SLEEPS; ++i) sched_yield();
  return argument;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return x - 2;
}
