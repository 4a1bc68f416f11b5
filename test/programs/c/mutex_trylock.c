// Each gets the lock before, after, or not because of the other.
// expect: classes=4 none
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int got[2];

static void *work(void *argument) {
  const int code = pthread_mutex_trylock(&mutex);
  assert(code == 0 || code == EBUSY);
  if (code == 0) {
    got[argument != 0] = 1;
    pthread_mutex_unlock(&mutex);
  }
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, work, 0);
  pthread_create(&second, 0, work, &first);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(got[0] || got[1]);
  return 0;
}
