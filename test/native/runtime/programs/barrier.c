// Nobody reads before both have written: no race, and the order of arrival does not matter to what is read.
// expect: deadlocks=0 verdict=no-bug exhausted=1
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t b;
static int x[2];

static void* body(void* p) {
  int i = (int)(long)p;
  x[i] = i + 1;
  pthread_barrier_wait(&b);
  assert(x[1 - i] == 2 - i);
  return 0;
}

int main(void) {
  pthread_t t[2];
  pthread_barrier_init(&b, 0, 2);
  for (long i = 0; i < 2; ++i) pthread_create(&t[i], 0, body, (void*)i);
  for (int i = 0; i < 2; ++i) pthread_join(t[i], 0);
  return 0;
}
