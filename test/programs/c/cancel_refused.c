// Cancellation cannot be controlled; it is refused in clear words.
// expect: error:pthread_cancel
#include <pthread.h>
#include <semaphore.h>

static sem_t semaphore;

static void *work(void *argument) {
  sem_wait(&semaphore);
  return argument;
}

int main(void) {
  sem_init(&semaphore, 0, 0);
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pthread_cancel(thread);
  pthread_join(thread, 0);
  return 0;
}
