// A mutex is unlocked by a thread that does not hold it.
// expect: unlock-not-held
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *unlock(void *argument) {
  pthread_mutex_unlock(&mutex);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_mutex_lock(&mutex);
  pthread_create(&thread, 0, unlock, 0);
  pthread_join(thread, 0);
  return 0;
}
