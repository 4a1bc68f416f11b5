// A try may find nothing.
// expect: none
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t semaphore;

static void *post(void *argument) {
  sem_post(&semaphore);
  return argument;
}

static void *try(void *argument) {
  const int code = sem_trywait(&semaphore);
  assert(code == 0 || errno == EAGAIN);
  return argument;
}

int main(void) {
  sem_init(&semaphore, 0, 0);
  pthread_t first, second;
  pthread_create(&first, 0, post, 0);
  pthread_create(&second, 0, try, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
