// A loop that counts in a value of the thread's own, which the runtime keeps.
// expect: --all none
#include <pthread.h>
#include <stdint.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t turns;
static int stop;

static void *work(void *argument) {
  for (;;) {
    const intptr_t n = (intptr_t)pthread_getspecific(turns);
    if (n == 3) break;
    pthread_setspecific(turns, (void *)(n + 1));
    pthread_mutex_lock(&lock);
    const int stopped = stop;
    pthread_mutex_unlock(&lock);
    if (stopped) break;
  }
  return argument;
}

int main(void) {
  pthread_key_create(&turns, 0);
  pthread_t t, u;
  pthread_create(&t, 0, work, 0);
  pthread_create(&u, 0, work, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
