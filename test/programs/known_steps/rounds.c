// Two rounds of threads; in between, locks and atomics are made anew by plain writes.
// followed: 0 of 324
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static pthread_mutex_t m;

static void *work(void *argument) {
  (void)argument;
  pthread_mutex_lock(&m);
  x = x + 1;
  pthread_mutex_unlock(&m);
  x = x + 1;
  return NULL;
}

int main(void) {
  for (int round = 0; round < 2; ++round) {
    pthread_t t[2];
    pthread_mutex_init(&m, NULL);
    atomic_init(&x, round * 5);
    for (int i = 0; i < 2; ++i) pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < 2; ++i) pthread_join(t[i], NULL);
  }
  return 0;
}
