// pthread_once runs the routine exactly once, and everybody sees what it did.
// expect: none
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
int value;

static void initialise(void) { value += 7; }

static void *work(void *argument) {
  pthread_once(&once, initialise);
  assert(value == 7);
  return argument;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, work, 0);
  pthread_create(&second, 0, work, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
