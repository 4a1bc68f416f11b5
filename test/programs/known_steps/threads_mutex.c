// A mutex among the locals of a thread: whose it is, is in no key.
// followed: 0 of 12
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *tries(void *argument) {
  pthread_mutex_t *m = argument;
  pthread_mutex_trylock(m);
  atomic_fetch_add(&x, 0);
  pthread_mutex_unlock(m);
  return NULL;
}

static void *holds(void *argument) {
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  pthread_t child;
  pthread_create(&child, NULL, tries, &m);
  pthread_mutex_lock(&m);
  atomic_fetch_add(&x, 0);
  pthread_mutex_unlock(&m);
  pthread_join(child, NULL);
  return argument;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, holds, NULL);
  atomic_fetch_add(&x, 0);
  pthread_join(t, NULL);
  return 0;
}
