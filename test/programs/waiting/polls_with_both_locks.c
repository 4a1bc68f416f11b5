// Two threads poll with two locks. Taken in one order, both wait until the flag is set; in opposite orders they block each other in the
// middle of turns that would have changed nothing.
// expect: --all none classes=2
// expect: -D OPPOSITE=1 --all deadlock classes=4 findings=2
// algorithms: every
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int set;

static void poll(pthread_mutex_t *first, pthread_mutex_t *second) {
  for (int seen = 0; !seen;) {
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    seen = set;
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
  }
}

static void *one(void *argument) {
  poll(&a, &b);
  return argument;
}

static void *other(void *argument) {
#ifdef OPPOSITE
  poll(&b, &a);
#else
  poll(&a, &b);
#endif
  return argument;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, one, 0);
  pthread_create(&u, 0, other, 0);
  pthread_mutex_lock(&a);
  set = 1;
  pthread_mutex_unlock(&a);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
