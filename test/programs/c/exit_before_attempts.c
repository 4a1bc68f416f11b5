// The process ends while others are about to try something: whether it would have been a look or a change there must be
// known, or classes are missed.
// expect: --all classes=28 exit-with-threads
// expect: --all --algorithm=exhaustive classes=28 exit-with-threads
// expect: --all -D LOCKS=1 classes=117 exit-with-threads
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x, y;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static sem_t semaphore;

static void start(void *(*work)(void *)) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
}

static void *reads(void *argument) {
  (void)y;
  (void)x;
  return argument;
}

static void *swaps(void *argument) {
  int expected = 1;
  atomic_compare_exchange_strong(&y, &expected, 1);
  return argument;
}

static void *writes(void *argument) {
  x = 1;
  return argument;
}

static void *writes_and_ends(void *argument) {
  x = 1;
  exit(0);
  return argument;
}

static void *tries(void *argument) {
  if (pthread_mutex_trylock(&lock) == 0) pthread_mutex_unlock(&lock);
  if (sem_trywait(&semaphore) == 0) sem_post(&semaphore);
  return argument;
}

static void *tries_more(void *argument) {
  if (pthread_spin_trylock(&spin) == 0) pthread_spin_unlock(&spin);
  if (pthread_rwlock_trywrlock(&shared) == 0) pthread_rwlock_unlock(&shared);
  return argument;
}

static void *locks_and_ends(void *argument) {
  pthread_mutex_lock(&lock);
  sem_post(&semaphore);
  exit(0);
  return argument;
}

int main(void) {
#ifdef LOCKS
  pthread_spin_init(&spin, 0);
  sem_init(&semaphore, 0, 0);
  pthread_spin_lock(&spin);
  start(tries);
  start(locks_and_ends);
  start(tries_more);
  pthread_spin_unlock(&spin);
#else
  start(reads);
  start(swaps);
  start(writes);
  start(writes_and_ends);
#endif
  pthread_exit(0);
}
