// Readers do not exclude each other. Operations on one lock are ordered all the same: six orders of the readers with the
// writer first, six with it last, two with it between them.
// expect: classes=14 none
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int x, y;

static void *read_both(void *argument) {
  pthread_rwlock_rdlock(&lock);
  assert(x == y);
  pthread_rwlock_unlock(&lock);
  return argument;
}

static void *write_both(void *argument) {
  pthread_rwlock_wrlock(&lock);
  ++x;
  ++y;
  pthread_rwlock_unlock(&lock);
  return argument;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], 0, read_both, 0);
  pthread_create(&threads[1], 0, read_both, 0);
  pthread_create(&threads[2], 0, write_both, 0);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
  return 0;
}
