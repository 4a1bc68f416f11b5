// Deadlocks that are no circle of locks: a semaphore nobody posts in time, a condition signalled too early, a barrier that
// one thread never reaches, a reader-writer lock never released, and joins of those who wait.
// expect: --all -D PART=1 --algorithm=optimal-dpor deadlock
// expect: --all -D PART=1 --algorithm=unfolding deadlock
// expect: --all -D PART=1 --algorithm=contextual-unfolding deadlock
// expect: --all -D PART=2 --algorithm=optimal-dpor deadlock
// expect: --all -D PART=2 --algorithm=unfolding deadlock
// expect: --all -D PART=2 --algorithm=contextual-unfolding deadlock
// expect: --all -D PART=3 --algorithm=optimal-dpor deadlock
// expect: --all -D PART=3 --algorithm=unfolding deadlock
// expect: --all -D PART=3 --algorithm=contextual-unfolding deadlock
// expect: --all -D PART=4 --algorithm=optimal-dpor deadlock
// expect: --all -D PART=4 --algorithm=unfolding deadlock
// expect: --all -D PART=4 --algorithm=contextual-unfolding deadlock
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;
static sem_t tokens;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;

static void *first(void *unused) {
#if PART == 1
  if (x == 0) sem_post(&tokens);
#elif PART == 2
  pthread_mutex_lock(&mutex);
  pthread_cond_wait(&changed, &mutex);
  pthread_mutex_unlock(&mutex);
#elif PART == 3
  if (x == 0) pthread_barrier_wait(&barrier);
#else
  pthread_rwlock_rdlock(&table);
  if (x == 0) pthread_rwlock_unlock(&table);
#endif
  return unused;
}

static void *second(void *unused) {
#if PART == 1
  x = 1;
  sem_wait(&tokens);
#elif PART == 2
  x = 1;
  pthread_cond_signal(&changed);
#elif PART == 3
  x = 1;
  pthread_barrier_wait(&barrier);
#else
  x = 1;
  if (pthread_rwlock_tryrdlock(&table) == 0) pthread_rwlock_unlock(&table);
  pthread_rwlock_wrlock(&table);
  pthread_rwlock_unlock(&table);
#endif
  return unused;
}

int main(void) {
  pthread_t a, b;
  sem_init(&tokens, 0, 0);
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
