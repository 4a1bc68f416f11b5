// Locals of a main that has ended before its threads: nobody's memory any more, and in no key.
// followed: 0 of 790
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *work(void *argument) {
  long *sum = argument;
  for (int i = 0; i < 2; ++i) {
    *sum += x;
    x = x + 1;
  }
  assert(*sum != 3);
  x = x + 1;
  return NULL;
}

int main(void) {
  long sum[2] = {0, 0};
  pthread_t t[2];
  for (int i = 0; i < 2; ++i) pthread_create(&t[i], NULL, work, &sum[i]);
  pthread_exit(NULL);
}
