// Thread-specific values: each thread has its own, and the destructor runs at its end.
// expect: classes=2 none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_key_t key;
static atomic_int destroyed;
static __thread int own;

static void destroy(void *value) { destroyed += *(int *)value; }

static void *work(void *argument) {
  own = argument ? 10 : 1;
  pthread_setspecific(key, &own);
  assert(pthread_getspecific(key) == &own);
  return 0;
}

int main(void) {
  pthread_key_create(&key, destroy);
  assert(pthread_getspecific(key) == 0);
  pthread_t first, second;
  pthread_create(&first, 0, work, 0);
  pthread_create(&second, 0, work, &first);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(destroyed == 11 && own == 0);
  return 0;
}
