// Threads that join threads: who joins them comes after what they have joined.
// expect: --all --algorithm=optimal-dpor classes=6 assertion
// expect: --all --algorithm=unfolding executions=6 assertion
// expect: --all --algorithm=contextual-unfolding assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;

static void *write_x(void *value) {
  x = (int)(long)value;
  return NULL;
}

static void *both(void *unused) {
  pthread_t a, b;
  pthread_create(&a, NULL, write_x, (void *)1L);
  pthread_create(&b, NULL, write_x, (void *)2L);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, both, NULL);
  x = 3;
  pthread_join(t, NULL);
  assert(x != 3);
  return 0;
}
