// A timed lock may time out while the other holds the mutex, and only then.
// expect: none
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int x;

static void *patient(void *argument) {
  pthread_mutex_lock(&mutex);
  ++x;
  pthread_mutex_unlock(&mutex);
  return argument;
}

static void *impatient(void *argument) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += 1;
  const int code = pthread_mutex_timedlock(&mutex, &until);
  assert(code == 0 || code == ETIMEDOUT);
  if (code == 0) {
    ++x;
    pthread_mutex_unlock(&mutex);
  }
  return argument;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, patient, 0);
  pthread_create(&second, 0, impatient, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(x == 1 || x == 2);
  return 0;
}
