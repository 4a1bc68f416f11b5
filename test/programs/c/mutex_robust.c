// expect: none classes=2
// A thread that ends with a robust mutex: the next one to lock it is told, and it is lost if nobody mends it.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex;
static int value;

static void *ends_with_it(void *argument) {
  if (pthread_mutex_lock(&mutex) == EOWNERDEAD) pthread_mutex_consistent(&mutex);
  value = 1;
  return argument;
}

int main(void) {
  pthread_mutexattr_t robust;
  pthread_mutexattr_init(&robust);
  pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&mutex, &robust);
  pthread_t thread;
  pthread_create(&thread, 0, ends_with_it, 0);
  const int first = pthread_mutex_lock(&mutex);
  assert(first == 0 || (first == EOWNERDEAD && value == 1));
  if (first == EOWNERDEAD) assert(pthread_mutex_consistent(&mutex) == 0);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, 0);
  if (first != 0) return 0;
  assert(pthread_mutex_trylock(&mutex) == EOWNERDEAD);
  pthread_mutex_unlock(&mutex);
  assert(pthread_mutex_lock(&mutex) == ENOTRECOVERABLE);
  return 0;
}
