// 64 threads, each with a variable of its own and one they only read.
// expect: classes=1 none
#include <pthread.h>
#include <stdatomic.h>

atomic_int own[64], common;

static void *work(void *argument) {
  *(atomic_int *)argument += common;
  return 0;
}

int main(void) {
  pthread_t threads[64];
  for (int i = 0; i < 64; ++i) pthread_create(&threads[i], 0, work, &own[i]);
  for (int i = 0; i < 64; ++i) pthread_join(threads[i], 0);
  return 0;
}
