// Two threads wait for each other's end.
// expect: deadlock
#include <pthread.h>
#include <semaphore.h>

static pthread_t first, second;
static sem_t known;

static void *left(void *argument) {
  sem_wait(&known);
  pthread_join(second, 0);
  return argument;
}

static void *right(void *argument) {
  pthread_join(first, 0);
  return argument;
}

int main(void) {
  sem_init(&known, 0, 0);
  pthread_create(&first, 0, left, 0);
  pthread_create(&second, 0, right, 0);
  sem_post(&known);
  pthread_exit(0);
}
