// Every execution crashes, and each is recovered from.
// expect: --all classes=2520 failed=2520 crash
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

atomic_int x;
int *volatile nowhere = NULL;

static void *work(void *argument) {
  x = 1;
  x = 2;
  return argument;
}

int main(void) {
  pthread_t threads[4];
  for (int i = 0; i < 4; ++i) pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], 0);
  *nowhere = 1;
  return 0;
}
