// As own_value.c; where the loop gives up is a bug.
// expect: --all assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int done;
static pthread_key_t turns;

static void *work(void *argument) {
  while (!done) {
    const intptr_t n = (intptr_t)pthread_getspecific(turns);
    pthread_setspecific(turns, (void *)(n + 1));
    if (n == 2) break;
  }
  assert((intptr_t)pthread_getspecific(turns) != 3);
  return argument;
}

int main(void) {
  pthread_key_create(&turns, 0);
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  done = 1;
  pthread_join(t, 0);
  return 0;
}
