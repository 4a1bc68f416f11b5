// A loop that counts its looks and begins to write after some turns: from there on leaving it is explored again.
// expect: --all assertion
// expect: -D BETWEEN=1 --all none
// algorithms: every
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static int data;

static void *set(void *argument) {
  atomic_store(&flag, 1);
  return argument;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, set, 0);
  int i = 0;
  for (; i < 100; ++i) {
    if (atomic_load(&flag)) break;
    if (i >= 20) data = 1;
  }
  pthread_join(t, 0);
#ifdef BETWEEN
  assert(data == (i > 20));
#else
  assert(data == 0 || i == 100);
#endif
  return 0;
}
