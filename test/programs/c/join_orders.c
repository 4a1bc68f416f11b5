// Creating and joining order memory: no race with main.
// expect: classes=1 none
#include <assert.h>
#include <pthread.h>

int x;

static void *work(void *argument) {
  x *= 2;
  return argument;
}

int main(void) {
  x = 1;
  for (int i = 0; i < 3; ++i) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
  }
  assert(x == 8);
  return 0;
}
