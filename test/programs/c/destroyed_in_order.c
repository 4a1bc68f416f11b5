// Everything is destroyed by whoever knows that nobody uses it any more, and made again.
// expect: --all none assumes=nothing
// counts: results
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t mutex;
static pthread_rwlock_t lock;
static pthread_spinlock_t spin;
static pthread_barrier_t barrier;
static sem_t semaphore;
static int shared;

static void *work(void *argument) {
  pthread_mutex_lock(&mutex);
  ++shared;
  pthread_mutex_unlock(&mutex);
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_unlock(&lock);
  pthread_spin_lock(&spin);
  pthread_spin_unlock(&spin);
  pthread_barrier_wait(&barrier);
  sem_post(&semaphore);
  return argument;
}

int main(void) {
  for (int i = 0; i < 2; ++i) {
    pthread_mutex_init(&mutex, 0);
    pthread_rwlock_init(&lock, 0);
    pthread_spin_init(&spin, 0);
    pthread_barrier_init(&barrier, 0, 2);
    sem_init(&semaphore, 0, 0);
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_barrier_wait(&barrier);
    pthread_barrier_destroy(&barrier);
    sem_wait(&semaphore);
    pthread_join(t, 0);
    sem_destroy(&semaphore);
    pthread_spin_destroy(&spin);
    pthread_rwlock_destroy(&lock);
    pthread_mutex_destroy(&mutex);
  }
  return 0;
}
