// A recursive mutex is locked twice by its owner.
// expect: none
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex;
int x;

static void *work(void *argument) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_lock(&mutex);
  ++x;
  pthread_mutex_unlock(&mutex);
  ++x;
  pthread_mutex_unlock(&mutex);
  return argument;
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&mutex, &attributes);
  pthread_mutexattr_destroy(&attributes);
  pthread_t first, second;
  pthread_create(&first, 0, work, 0);
  pthread_create(&second, 0, work, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  pthread_mutex_destroy(&mutex);
  assert(x == 4);
  return 0;
}
