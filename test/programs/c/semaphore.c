// A semaphore of one is a lock: two orders for two threads.
// expect: classes=2 none
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t semaphore;
int x;

static void *work(void *argument) {
  sem_wait(&semaphore);
  ++x;
  sem_post(&semaphore);
  return argument;
}

int main(void) {
  sem_init(&semaphore, 0, 1);
  pthread_t first, second;
  pthread_create(&first, 0, work, 0);
  pthread_create(&second, 0, work, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  int count = 0;
  sem_getvalue(&semaphore, &count);
  assert(x == 2 && count == 1);
  return 0;
}
