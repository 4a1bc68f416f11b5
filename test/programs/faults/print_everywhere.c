// printf in all threads, to both streams.
// expect: classes=6 none
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

atomic_int x;

static void *work(void *argument) {
  for (int i = 0; i < 2; ++i) {
    const int seen = x++;
    printf("thread %d sees %d\n", argument != 0, seen);
    fprintf(stderr, "%d\n", seen);
  }
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, work, 0);
  pthread_create(&second, 0, work, &first);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
