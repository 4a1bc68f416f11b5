// Who waits for a lock that was taken by an attempt waits for whoever made it, as a reader (HOW 0, 1), as a writer (2, 3),
// or beside another one who failed to get it (4): the deadlock is found in the unfolding.
// expect: --all --algorithm=optimal-dpor deadlock classes=4
// expect: --all --algorithm=unfolding deadlock
// expect: --all --algorithm=contextual-unfolding deadlock
// expect: --all -D HOW=1 --algorithm=unfolding deadlock
// expect: --all -D HOW=1 --algorithm=contextual-unfolding deadlock
// expect: --all -D HOW=2 --algorithm=unfolding deadlock
// expect: --all -D HOW=3 --algorithm=contextual-unfolding deadlock
// expect: --all -D HOW=4 --algorithm=optimal-dpor deadlock
// expect: --all -D HOW=4 --algorithm=exhaustive deadlock
// expect: --all -D HOW=4 --algorithm=unfolding deadlock
// expect: --all -D HOW=4 --algorithm=contextual-unfolding deadlock
#include <pthread.h>
#include <time.h>

#ifndef HOW
#define HOW 0
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static const struct timespec some_day = {4000000000, 0};

static int attempt(void) {
  switch (HOW) {
    case 1: return pthread_rwlock_timedrdlock(&lock, &some_day);
    case 2: return pthread_rwlock_trywrlock(&lock);
    case 3: return pthread_rwlock_timedwrlock(&lock, &some_day);
    case 4: return pthread_rwlock_wrlock(&lock);
    default: return pthread_rwlock_tryrdlock(&lock);
  }
}

static void *first(void *argument) {
  if (attempt() == 0) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_rwlock_unlock(&lock);
  }
  return argument;
}

static void *second(void *argument) {
  pthread_mutex_lock(&mutex);
  pthread_rwlock_wrlock(&lock);
  pthread_rwlock_unlock(&lock);
  pthread_mutex_unlock(&mutex);
  return argument;
}

static void *third(void *argument) {
  if (pthread_rwlock_tryrdlock(&lock) == 0) pthread_rwlock_unlock(&lock);
  return argument;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], 0, first, 0);
  pthread_create(&threads[1], 0, second, 0);
  if (HOW == 4) pthread_create(&threads[2], 0, third, 0);
  for (int i = 0; i < (HOW == 4 ? 3 : 2); i++) pthread_join(threads[i], 0);
}
