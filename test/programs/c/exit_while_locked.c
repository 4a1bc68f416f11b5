// The process ends while main holds a lock that another thread waits for: the end does not make the lock free.
// expect: classes=2 none
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *argument) {
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pthread_detach(thread);
  pthread_mutex_lock(&lock);
  return 0;
}
