// A mutex is freed while somebody else is about to lock it.
// expect: --all use-after-free
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t *mutex;

static void *work(void *argument) {
  pthread_mutex_lock(mutex);
  pthread_mutex_unlock(mutex);
  return argument;
}

int main(void) {
  mutex = calloc(1, sizeof *mutex);
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  free(mutex);
  pthread_join(t, 0);
  return 0;
}
