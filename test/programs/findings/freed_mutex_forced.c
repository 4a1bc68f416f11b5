// A mutex is locked after it was freed, in every order.
// expect: --all use-after-free
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_mutex_t *mutex;
static atomic_int freed;

static void *work(void *argument) {
  while (!freed) {}
  pthread_mutex_lock(mutex);
  pthread_mutex_unlock(mutex);
  return argument;
}

int main(void) {
  mutex = calloc(1, sizeof *mutex);
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  free(mutex);
  freed = 1;
  pthread_join(t, 0);
  return 0;
}
