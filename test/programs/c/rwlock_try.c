// tryrdlock succeeds beside a reader and fails beside a writer; trywrlock fails beside both. Every operation on the lock is
// ordered with every other, but failed tries for writing with each other.
// expect: none
// expect: --algorithm=exhaustive none
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int x;

static void *read_or_not(void *argument) {
  if (pthread_rwlock_tryrdlock(&lock) == 0) {
    assert(x == 0 || x == 2);
    pthread_rwlock_unlock(&lock);
  }
  return argument;
}

static void *read_surely(void *argument) {
  pthread_rwlock_rdlock(&lock);
  assert(x == 0 || x == 2);
  pthread_rwlock_unlock(&lock);
  return argument;
}

static void *write_or_not(void *argument) {
  const int code = pthread_rwlock_trywrlock(&lock);
  assert(code == 0 || code == EBUSY);
  if (code == 0) {
    ++x;
    ++x;
    pthread_rwlock_unlock(&lock);
  }
  return argument;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], 0, read_or_not, 0);
  pthread_create(&threads[1], 0, read_surely, 0);
  pthread_create(&threads[2], 0, write_or_not, 0);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
  return 0;
}
