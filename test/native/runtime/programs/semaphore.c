// expect: deadlocks=0 verdict=no-bug exhausted=1 classes=2
#include <pthread.h>
#include <semaphore.h>

static sem_t s;

static void* body(void* x) {
  sem_wait(&s);
  sem_post(&s);
  return x;
}

int main(void) {
  pthread_t a, b;
  sem_init(&s, 0, 1);
  pthread_create(&a, 0, body, 0);
  pthread_create(&b, 0, body, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
