// A thread uses a lock in a frame that its creator has left; the frame is as it was, so nothing else would show.
// expect: -D CASE=1 mutex-misuse
// expect: -D CASE=2 mutex-misuse
// expect: -D CASE=3 mutex-misuse
// expect: --all -D CASE=4 none
// exempt: gcc
// unfoldings: open (CASE 2: the second lock is made in the place of the first while that is used)
#include <pthread.h>
#include <semaphore.h>

struct Shared {
  pthread_mutex_t mutex;
  pthread_rwlock_t lock;
  sem_t semaphore;
};

static void *use(void *argument) {
  struct Shared *shared = argument;
#if CASE == 1
  pthread_mutex_lock(&shared->mutex);
  pthread_mutex_unlock(&shared->mutex);
#elif CASE == 2
  pthread_rwlock_rdlock(&shared->lock);
  pthread_rwlock_unlock(&shared->lock);
#else
  sem_post(&shared->semaphore);
#endif
  return 0;
}

static pthread_t start(void) {
  struct Shared shared;
  pthread_mutex_init(&shared.mutex, 0);
  pthread_rwlock_init(&shared.lock, 0);
  sem_init(&shared.semaphore, 0, 0);
  pthread_t thread;
  pthread_create(&thread, 0, use, &shared);
#if CASE == 4
  sem_wait(&shared.semaphore);  // the last use
#endif
  return thread;
}

int main(void) {
  pthread_t first = start(), second = start();
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
