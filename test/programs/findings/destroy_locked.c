// A mutex is destroyed while another thread may hold it.
// expect: mutex-misuse
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *use(void *argument) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, use, 0);
  pthread_mutex_destroy(&mutex);
  pthread_join(thread, 0);
  return 0;
}
