// Whoever was waited for posts last, but the waiter has seen enough before and destroys the semaphore.
// expect: --all mutex-misuse
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t done;
static atomic_int finished;

static void *work(void *argument) {
  finished = 1;
  sem_post(&done);
  return argument;
}

int main(void) {
  sem_init(&done, 0, 0);
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  if (!finished) sem_wait(&done);
  sem_destroy(&done);
  pthread_join(t, 0);
  return 0;
}
