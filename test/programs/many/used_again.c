// Nineteen children that are joined, and then three more that have ids of those: who reads what, and in which order they
// take the lock, is explored as of any other threads.
// expect: --all none classes=6
// expect: --all --algorithm=exhaustive none classes=6
// expect: --all --algorithm=source-dpor none classes=6
// expect: --all --algorithm=dpor none classes=6
// expect: --all --algorithm=unfolding none classes=6
// expect: --all -j2 none classes=6
// expect: --all -D FIRST=1 assertion
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int order[3], taken;

static void* nothing(void* argument) { return argument; }

static void* take(void* argument) {
  pthread_mutex_lock(&lock);
  order[taken++] = (int)(long)argument;
  pthread_mutex_unlock(&lock);
  return argument;
}

int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 19; ++i) {
    pthread_create(&t[0], 0, nothing, 0);
    pthread_join(t[0], 0);
  }
  for (long i = 0; i < 3; ++i) pthread_create(&t[i], 0, take, (void*)i);
  for (int i = 0; i < 3; ++i) pthread_join(t[i], 0);
#ifdef FIRST
  assert(order[0] == 0);
#endif
  assert(order[0] + order[1] + order[2] == 3);
  return 0;
}
