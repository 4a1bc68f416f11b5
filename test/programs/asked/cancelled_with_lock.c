// A thread is cancelled while it holds a lock that nobody gives back: whoever wants it next waits for ever. With a cleanup
// handler all is well.
// expect: --all deadlock classes=2 deadlocked=1
// expect: --all --algorithm=exhaustive deadlock classes=2 deadlocked=1
// expect: --all --algorithm=source-dpor deadlock deadlocked=1
// expect: --all --algorithm=unfolding deadlock
// expect: --all -D CLEANUP=1 none
// expect: --all -D CLEANUP=1 --algorithm=exhaustive none
// expect: --all -D CLEANUP=1 --algorithm=unfolding none
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t work;
static int done;

static void give_back(void* mutex) { pthread_mutex_unlock((pthread_mutex_t*)mutex); }

static void* worker(void* argument) {
  pthread_mutex_lock(&lock);
#ifdef CLEANUP
  pthread_cleanup_push(give_back, &lock);
#endif
  sem_wait(&work);   // a cancellation point
  done = 1;
#ifdef CLEANUP
  pthread_cleanup_pop(0);
#endif
  give_back(&lock);
  return argument;
}

int main(void) {
  pthread_t t;
  void* result;
  sem_init(&work, 0, 1);
  pthread_create(&t, 0, worker, 0);
  pthread_cancel(t);
  pthread_join(t, &result);
  pthread_mutex_lock(&lock);
  assert((result == PTHREAD_CANCELED) == !done);
  pthread_mutex_unlock(&lock);
  return 0;
}
