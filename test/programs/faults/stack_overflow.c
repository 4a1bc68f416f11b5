// Endless recursion is a crash of the program, not of Heddle.
// expect: crash
#include <pthread.h>

static int __attribute__((noinline)) descend(int n) {
  volatile char frame[4096];
  frame[n % 4096] = 1;
  return descend(n + 1) + frame[0];
}

static void *work(void *argument) {
  descend(0);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pthread_join(thread, 0);
  return 0;
}
