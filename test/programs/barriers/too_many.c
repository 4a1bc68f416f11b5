// More threads than the barrier needs: who comes when decides who passes with whom, so that the orders of arrival count. Three
// at a barrier for two: whoever comes last waits for ever. Four: they pass in pairs, in any.
// expect: -D N=3 --all deadlock classes=6 deadlocked=6
// expect: -D N=4 none classes=24
// expect: -D N=4 -D WITH_FIRST=1 --all assertion
// exempt: isolation
// algorithms: every
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;
static int come[N];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *argument) {
  const int own = (int)(long)argument;
#ifdef WITH_FIRST
  pthread_mutex_lock(&mutex);
  come[own] = 1;
  pthread_mutex_unlock(&mutex);
#endif
  pthread_barrier_wait(&barrier);
#ifdef WITH_FIRST
  pthread_mutex_lock(&mutex);
  if (own == 3) assert(come[0]);   // wrong: it may have passed with another
  pthread_mutex_unlock(&mutex);
#endif
  return 0;
}

int main(void) {
  pthread_t threads[N];
  pthread_barrier_init(&barrier, 0, 2);
  for (long i = 0; i < N; ++i) pthread_create(&threads[i], 0, work, (void *)i);
  for (int i = 0; i < N; ++i) pthread_join(threads[i], 0);
  (void)come, (void)mutex;
  return 0;
}
