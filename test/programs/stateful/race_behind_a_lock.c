// A data race only if the second thread takes the lock first: no local state shows it, and one execution teaches the whole net.
// expect: --all --algorithm=optimal-dpor data-race
// expect: --all --algorithm=stateful data-race findings=1
// expect: --all --algorithm=stateful-unfolding data-race findings=1
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void* inside(void* unused) {
  pthread_mutex_lock(&m);
  x = 1;
  pthread_mutex_unlock(&m);
  return unused;
}

static void* behind(void* unused) {
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  x = 2;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, inside, NULL);
  pthread_create(&b, NULL, behind, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
