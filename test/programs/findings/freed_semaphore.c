// A semaphore is freed before it is posted.
// expect: --all use-after-free
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static sem_t *semaphore;

static void *work(void *argument) {
  sem_post(semaphore);
  return argument;
}

int main(void) {
  semaphore = calloc(1, sizeof *semaphore);
  sem_init(semaphore, 0, 0);
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  free(semaphore);
  pthread_join(t, 0);
  return 0;
}
