// A semaphore that nobody posts, if the flag is seen too late.
// expect: deadlock
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t semaphore;
atomic_int waiting;

static void *left(void *argument) {
  waiting = 1;
  sem_wait(&semaphore);
  return argument;
}

static void *right(void *argument) {
  if (waiting) sem_post(&semaphore);
  return argument;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, left, 0);
  pthread_create(&second, 0, right, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
