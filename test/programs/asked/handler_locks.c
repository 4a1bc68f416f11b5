// A handler takes the lock that the thread it interrupts may hold.
// expect: --all relock classes=4 failed=1
// expect: --all --algorithm=exhaustive relock classes=4 failed=1
// expect: --all --algorithm=unfolding relock
// expect: --all -D ELSEWHERE=1 none
// expect: --all -D ELSEWHERE=1 --algorithm=exhaustive none
#include <pthread.h>
#include <signal.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static int shared;

static void handle(int signal) {
  (void)signal;
#ifdef ELSEWHERE
  pthread_mutex_t* mutex = &other;
#else
  pthread_mutex_t* mutex = &lock;
#endif
  pthread_mutex_lock(mutex);
  pthread_mutex_unlock(mutex);
}

static void* worker(void* argument) {
  pthread_mutex_lock(&lock);
  ++shared;
  pthread_mutex_unlock(&lock);
  return argument;
}

int main(void) {
  pthread_t t;
  signal(SIGUSR1, handle);
  pthread_create(&t, 0, worker, 0);
  pthread_kill(t, SIGUSR1);
  pthread_join(t, 0);
  return 0;
}
