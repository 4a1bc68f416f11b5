// The same with plain memory. By default the race is the finding; explored, its accesses are four steps.
// expect: data-race
// expect: --races=explore --all classes=4 assertion
#include <assert.h>
#include <pthread.h>

volatile int x;

static void *increment(void *argument) {
  x++;
  return argument;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, increment, 0);
  pthread_create(&second, 0, increment, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(x == 2);
  return 0;
}
