// Two waiters, one signal after both wait, then a second: who is woken first is a choice.
// expect: deadlocks=0 verdict=no-bug exhausted=1
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER, all = PTHREAD_COND_INITIALIZER;
static int waiting, tokens;

static void* waiter(void* x) {
  pthread_mutex_lock(&m);
  if (++waiting == 2) pthread_cond_signal(&all);
  while (tokens == 0) pthread_cond_wait(&c, &m);
  tokens--;
  pthread_mutex_unlock(&m);
  return x;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, waiter, 0);
  pthread_create(&b, 0, waiter, 0);
  pthread_mutex_lock(&m);
  while (waiting < 2) pthread_cond_wait(&all, &m);
  tokens = 2;
  pthread_cond_signal(&c);
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
